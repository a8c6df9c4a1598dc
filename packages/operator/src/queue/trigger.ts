import { unreachable } from "@levelset/core";

/** Why a run of an object is due. Code branches on `kind`, never on the text of `describeTrigger`, which is for people. */
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
      /** How the two are related: `owner`, `reference`, `labels`, `mapping` or `followed`. */
      readonly via: string;
    }
  /** A kind whose objects this one manages can be watched again, or cannot be watched any more. */
  | { readonly kind: "watch"; readonly of: string; readonly isWatched: boolean }
  /** The run before this one added our finalizer. */
  | { readonly kind: "finalizer" }
  /** A write of the run before this one conflicted with a write of another client. */
  | { readonly kind: "conflict" }
  /** The time for which a step asked has come. */
  | { readonly kind: "requeue" }
  /** The run before this one failed. */
  | { readonly kind: "retry" }
  /** A run was due, but the object was throttled. */
  | { readonly kind: "throttled" }
  /** The queue was full and has turned objects away. */
  | { readonly kind: "overflow" };

/** The kinds of triggers. */
export type TriggerKind = Trigger["kind"];

const CHANGES = { added: "appeared", updated: "changed", removed: "went" } as const;

/** A trigger in words. */
export function describeTrigger(trigger: Trigger): string {
  switch (trigger.kind) {
    case "listed":
      return "it was there at the start";
    case "appeared":
      return "it appeared";
    case "changed": {
      const { field, hasMore = false, manager } = trigger;
      if (field === undefined) return "it was written without a change";
      return `${field}${hasMore ? " and more" : ""} changed${manager === undefined ? "" : ` (${manager})`}`;
    }
    case "requested":
      return "a run was asked for by annotation";
    case "deletion":
      return "its deletion was asked for";
    case "related":
      return `${trigger.object} ${CHANGES[trigger.change]} (${trigger.via})`;
    case "watch":
      return `${trigger.of} ${trigger.isWatched ? "can be watched again" : "cannot be watched"}`;
    case "finalizer":
      return "its finalizer is in place";
    case "conflict":
      return "our copy was old";
    case "requeue":
      return "its time came";
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
