import { kind, s } from "@levelset/core";
import { external, operator } from "@levelset/operator";
import type { Operator, ExternalState } from "@levelset/operator";

export const Store = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Store",
  spec: s.object({ gigabytes: s.int32().min(1) }),
  status: s.object({ url: s.string().optional() }),
  columns: { Url: ".status.url" },
});

/** API of a service outside the cluster. Buckets are identified by a key that the client chooses. */
export interface BucketApi {
  find(key: string, signal: AbortSignal): Promise<Bucket | undefined>;
  put(key: string, gigabytes: number, signal: AbortSignal): Promise<Bucket>;
  remove(key: string, signal: AbortSignal): Promise<void>;
}

export interface Bucket {
  readonly url: string;
  readonly gigabytes: number;
  readonly state: "building" | "ready";
}

/** Compares a bucket with the spec. */
function evaluate(value: Bucket | undefined, gigabytes: number): ExternalState<Bucket> {
  if (value === undefined) return { state: "absent" };
  if (value.state === "building") return { state: "progressing", value, doing: "the bucket is being built" };
  return { state: value.gigabytes === gigabytes ? "current" : "outdated", value };
}

export function stores(api: BucketApi): Operator<typeof Store> {
  const bucket = external(Store, "Bucket", {
    condition: "BucketReady",
    observe: async ({ object, spec, signal }) => evaluate(await api.find(object.metadata.uid, signal), spec.gigabytes),
    apply: async ({ object, spec, signal }) =>
      evaluate(await api.put(object.metadata.uid, spec.gigabytes, signal), spec.gigabytes),
    delete: async ({ object, signal }) => {
      await api.remove(object.metadata.uid, signal);
      return (await api.find(object.metadata.uid, signal)) === undefined ? "deleted" : "deleting";
    },
    status: ({ status }, { url }) => {
      status.url = url;
    },
    keep: ["url"], // an outage of the service does not clear the address
    pollMs: 10_000,
    driftMs: 600_000,
  });
  return operator(Store, [bucket]);
}
