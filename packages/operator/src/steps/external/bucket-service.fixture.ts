import { parseJson } from "@levelset/core/internal";
import type { Clock, Fetch } from "@levelset/core";

/** A bucket as the service returns it. */
export interface Bucket {
  readonly id: string;
  readonly key: string;
  readonly size: number;
  readonly state: "building" | "ready" | "deleting";
}

interface Stored extends Bucket {
  readonly readyAt: number;
}

/** Behaviour of the service. */
export interface BucketServiceOptions {
  readonly clock: Clock;
  /** Time to create, change or delete a bucket. */
  readonly workMs?: number;
  /** Age of the data that reads return. */
  readonly lagMs?: number;
}

/**
 * A simulated external service: operations take time, and reads may lag behind writes. PUT is idempotent under the
 * client's key; the service assigns ids.
 */
export class BucketService {
  /** All received requests: `PUT /buckets/a`. */
  readonly requests: string[] = [];
  readonly #clock: Clock;
  readonly #workMs: number;
  readonly #lagMs: number;
  /** States over time, each with its start. */
  readonly #versions: { readonly from: number; readonly buckets: ReadonlyMap<string, Stored> }[] = [];
  #ids = 0;

  constructor(options: BucketServiceOptions) {
    this.#clock = options.clock;
    this.#workMs = options.workMs ?? 0;
    this.#lagMs = options.lagMs ?? 0;
  }

  /** Number of buckets ever created. */
  get made(): number {
    return this.#ids;
  }

  /** The buckets that currently exist. */
  get buckets(): readonly Bucket[] {
    return [...this.#at(this.#clock.now()).values()].filter((bucket) => !this.#isGone(bucket));
  }

  /** Deletes a bucket, as another client would. */
  lose(key: string): void {
    this.#write((buckets) => buckets.delete(key));
  }

  readonly fetch: Fetch = async (request) => {
    const { pathname } = new URL(request.url);
    const key = pathname.slice("/buckets/".length);
    this.requests.push(`${request.method} ${pathname}`);
    switch (request.method) {
      case "GET":
        return this.#read(key);
      case "PUT":
        return this.#put(key, await request.text());
      case "DELETE":
        return this.#remove(key);
      default:
        return new Response(null, { status: 405 });
    }
  };

  #read(key: string): Response {
    return response(this.#shown(this.#at(this.#clock.now() - this.#lagMs).get(key)));
  }

  #put(key: string, body: string): Response {
    const { size } = parseJson(body) as { readonly size: number }; // the client under test sends no other method
    const present = this.#present(key);
    if (present?.state === "deleting") return new Response("busy", { status: 409 });
    if (present?.size === size) return response(this.#shown(present));
    const id = present?.id ?? `bucket-${++this.#ids}`;
    const bucket: Stored = { id, key, size, state: "building", readyAt: this.#clock.now() + this.#workMs };
    this.#write((buckets) => buckets.set(key, bucket));
    return response(this.#shown(bucket));
  }

  #remove(key: string): Response {
    const present = this.#present(key);
    if (present === undefined) return new Response(null, { status: 404 });
    if (present.state !== "deleting") {
      const readyAt = this.#clock.now() + this.#workMs;
      this.#write((buckets) => buckets.set(key, { ...present, state: "deleting", readyAt }));
    }
    return new Response(null, { status: 202 });
  }

  #present(key: string): Stored | undefined {
    const bucket = this.#at(this.#clock.now()).get(key);
    return bucket === undefined || this.#isGone(bucket) ? undefined : bucket;
  }

  #isGone(bucket: Stored): boolean {
    return bucket.state === "deleting" && bucket.readyAt <= this.#clock.now();
  }

  #shown(bucket: Stored | undefined): Bucket | undefined {
    if (bucket === undefined || this.#isGone(bucket)) return undefined;
    const { readyAt, ...shown } = bucket;
    return shown.state === "building" && readyAt <= this.#clock.now() ? { ...shown, state: "ready" } : shown;
  }

  #at(time: number): ReadonlyMap<string, Stored> {
    return this.#versions.findLast(({ from }) => from <= time)?.buckets ?? new Map<string, Stored>();
  }

  #write(change: (buckets: Map<string, Stored>) => void): void {
    const from = this.#clock.now();
    const buckets = new Map(this.#at(from));
    change(buckets);
    this.#versions.push({ from, buckets });
  }
}

function response(bucket: Bucket | undefined): Response {
  return bucket === undefined ? new Response(null, { status: 404 }) : Response.json(bucket);
}
