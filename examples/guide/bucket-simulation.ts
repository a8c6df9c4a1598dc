import { isReady } from "@levelset/core";
import { simulation } from "@levelset/simulation";
import type { ExternalWorld, Program } from "@levelset/simulation";
import { Store, stores } from "./bucket.ts";
import type { Bucket, BucketApi } from "./bucket.ts";

/** The service in memory. It outlives the processes of the operator. */
class FakeBuckets implements BucketApi, ExternalWorld {
  readonly #buckets = new Map<string, Bucket>();
  readonly #calls: string[] = [];
  #fault: "refused" | "response-lost" | undefined;

  async find(key: string): Promise<Bucket | undefined> {
    return this.#buckets.get(key);
  }

  put(key: string, gigabytes: number): Promise<Bucket> {
    return this.#effect(`put ${key} ${gigabytes}`, () => {
      const bucket: Bucket = { url: `s3://${key}`, gigabytes, state: "ready" };
      this.#buckets.set(key, bucket);
      return bucket;
    });
  }

  async remove(key: string): Promise<void> {
    await this.#effect(`remove ${key}`, () => this.#buckets.delete(key));
  }

  /** Equal entries are one effect that was repeated: the key is part of the call. */
  calls(): readonly string[] {
    return this.#calls;
  }

  /** The resources that exist. All must be gone after their objects are deleted. */
  live(): readonly string[] {
    return [...this.#buckets.keys()];
  }

  failNext(fault: "refused" | "response-lost"): void {
    this.#fault = fault;
  }

  endFaults(): void {
    this.#fault = undefined;
  }

  async #effect<Value>(call: string, handle: () => Value): Promise<Value> {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault === "refused") throw new Error("the service refuses the connection");
    if (!this.#calls.includes(call)) this.#calls.push(call); // the service is idempotent
    const value = handle();
    if (fault === "response-lost") throw new Error("the service does not answer");
    return value;
  }
}

/** Called once for each simulated world; `start` is called for each process in it. */
function program(): Program {
  const external = new FakeBuckets();
  return { start: () => stores(external), external };
}

export default simulation(program, {
  samples: [
    { apiVersion: "examples.levelset.dev/v1beta1", kind: "Store", metadata: { name: "a" }, spec: { gigabytes: 1 } },
  ],
  always: {
    "a store that is Ready has a URL": (world) =>
      world.list(Store).every((store) => !isReady(store) || store.status?.url !== undefined),
  },
  eventually: {
    "all stores are Ready": (world) => {
      const waiting = world.list(Store).filter((store) => !isReady(store));
      return waiting.length === 0 || `${waiting.map(({ metadata }) => metadata.name).join(", ")} waits`;
    },
  },
});
