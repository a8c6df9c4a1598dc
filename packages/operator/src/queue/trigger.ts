import { unreachable } from "@levelset/core/internal";

/** Why a run of an object is due. Code must branch on `kind`; the text of `describeTrigger` is for display only. */
export type Trigger =
  /** The object was in the first list. */
  | { readonly kind: "listed" }
  /** The object was created, or came into the watched namespaces. */
  | { readonly kind: "appeared" }
  /** A field of the object changed; `field` is absent where a write changed none. */
  | { readonly kind: "changed"; readonly field?: string; readonly hasMore?: boolean; readonly manager?: string }
  /** The annotation `levelset.dev/reconcile` has another value. */
  | { readonly kind: "requested" }
  /** The deletion of the object was requested. */
  | { readonly kind: "deletion" }
  /** Another object changed: a child, a referenced object, or one that a watch maps to this one. */
  | {
      readonly kind: "related";
      /** `configmap/a`. */
      readonly object: string;
      readonly change: "added" | "updated" | "removed";
      /** How the two are related: `owner`, `reference`, `labels`, `mapping` or `watch`. */
      readonly via: string;
    }
  /** A kind whose objects this one manages can be watched again, or cannot be watched any more. */
  | { readonly kind: "watch"; readonly of: string; readonly isWatched: boolean }
  /** The run before this one added our finalizer. */
  | { readonly kind: "finalizer" }
  /** A write of the run before this one conflicted with a write of another client. */
  | { readonly kind: "conflict" }
  /** The requeue delay of a step has elapsed. */
  | { readonly kind: "requeue" }
  /** The run before this one failed. */
  | { readonly kind: "retry" }
  /** A run was due, but the object was throttled. */
  | { readonly kind: "throttled" }
  /** The queue was full and has rejected keys. */
  | { readonly kind: "overflow" };

/** The kinds of triggers. */
export type TriggerKind = Trigger["kind"];

const CHANGES = { added: "appeared", updated: "changed", removed: "went" } as const;

/** Returns the display text of a trigger. */
export function describeTrigger(trigger: Trigger): string {
  switch (trigger.kind) {
    case "listed":
      return "initial list";
    case "appeared":
      return "it appeared";
    case "changed": {
      const { field, hasMore = false, manager } = trigger;
      if (field === undefined) return "written without a change";
      return `${field}${hasMore ? " and more" : ""} changed${manager === undefined ? "" : ` (${manager})`}`;
    }
    case "requested":
      return "run requested by annotation";
    case "deletion":
      return "deletion requested";
    case "related":
      return `${trigger.object} ${CHANGES[trigger.change]} (${trigger.via})`;
    case "watch":
      return `${trigger.of} ${trigger.isWatched ? "can be watched again" : "cannot be watched"}`;
    case "finalizer":
      return "finalizer added";
    case "conflict":
      return "write conflict";
    case "requeue":
      return "requeue delay elapsed";
    case "retry":
      return "its last run failed";
    case "throttled":
      return "it was throttled";
    case "overflow":
      return "the queue was full";
    default:
      return unreachable(trigger);
  }
}
