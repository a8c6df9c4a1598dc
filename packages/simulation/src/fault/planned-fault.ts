import type { StatusReason } from "@levelset/core";

/** What a fault does to one request. */
export type RequestFault =
  | { readonly kind: "refused" }
  | { readonly kind: "response-lost" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "hang" }
  | { readonly kind: "status"; readonly reason: StatusReason; readonly retryAfterSeconds?: number }
  | { readonly kind: "delay"; readonly ms: number };

/** The requests that a fault counts: writes, reads of objects, or both for the lease of the replicas. */
export type RequestTarget = "write" | "read" | "lease";

/** What a fault does to one watch event. */
export type WatchFault =
  | { readonly kind: "cut" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "expired" }
  | { readonly kind: "delay"; readonly ms: number };

/** A fault of the process, its connection or the server. Requests and events are those of all processes, also later ones. */
export type FaultEffect =
  /** The process dies after the server has handled its n-th write; a new one starts after a time. */
  | { readonly kind: "crash"; readonly nth: number; readonly downMs: number }
  /** `on`: default `write`. */
  | { readonly kind: "request"; readonly nth: number; readonly on?: RequestTarget; readonly fault: RequestFault }
  | { readonly kind: "watch"; readonly nth: number; readonly fault: WatchFault }
  /** All watch connections break. */
  | { readonly kind: "cut-watches" }
  /** All watch connections stay open without delivering events. */
  | { readonly kind: "freeze-watches" }
  /** Watch events are late, so that caches are stale. */
  | { readonly kind: "cache-lag"; readonly ms: number }
  /** The process restarts and lists the state before operation `back`, as of an API server that has fallen behind. */
  | { readonly kind: "stale-restart"; readonly back: number }
  /** The leader dies, or stalls for `stallMs` and then continues. The second replica takes over when the lease has ended. */
  | { readonly kind: "leader-change"; readonly stallMs?: number }
  /** The API server is not reachable for a time. */
  | { readonly kind: "outage"; readonly ms: number }
  /** The next call of a service outside of the cluster fails. */
  | { readonly kind: "external"; readonly fault: "refused" | "response-lost" };

/** A fault, and the operation during which it occurs. */
export type PlannedFault = FaultEffect & { readonly at: number };
