import type { ExternalWorld } from "@levelset/simulation";
import type { Bucket, BucketApi } from "../../../examples/guide/bucket.ts";

/** A service with buckets. It builds a bucket until its state is read for the second time. */
export class Buckets implements BucketApi, ExternalWorld {
  readonly #buckets = new Map<string, Bucket>();
  readonly #calls: string[] = [];

  async find(key: string): Promise<Bucket | undefined> {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) this.#buckets.set(key, { ...bucket, state: "ready" });
    return bucket;
  }

  async put(key: string, gigabytes: number): Promise<Bucket> {
    const before = this.#buckets.get(key);
    if (before?.gigabytes === gigabytes) return before;
    const bucket: Bucket = { url: `s3://${key}`, gigabytes, state: "building" };
    this.#buckets.set(key, bucket);
    if (before === undefined) this.#calls.push(`create ${key}`);
    return bucket;
  }

  async remove(key: string): Promise<void> {
    this.#buckets.delete(key);
  }

  calls(): readonly string[] {
    return this.#calls;
  }

  live(): readonly string[] {
    return [...this.#buckets.keys()];
  }

  /** The simulation breaks the calls of `external` steps itself. */
  failNext(): void {}
}
