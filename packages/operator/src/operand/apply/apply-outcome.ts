import type { KubeObject, Readiness } from "@levelset/core";
import { describeDispute } from "../../apply/index.ts";
import type { Contest } from "../../apply/index.ts";
import type { ManifestItem } from "../spec/item.ts";
import { describeLiveRef } from "../spec/live-ref.ts";

/** Result of applying one object of a set. */
export type ApplyOutcome =
  /** The object matches the manifest, as far as its mode requires. `object` is absent only for mode Ignore. */
  | {
      readonly kind: "applied";
      readonly object: KubeObject | undefined;
      readonly change: ItemChange;
      /** Set if another client writes the object too, so that it may differ from the manifest. */
      readonly contest?: Contest | undefined;
    }
  /** Waits for something that is expected to happen. */
  | { readonly kind: "waiting"; readonly reason: string; readonly message: string }
  /** Applying failed. */
  | { readonly kind: "failed"; readonly reason: string; readonly message: string };

/** What was written for an object. `drifted`: it differs from the manifest and was not written. */
export type ItemChange = "none" | "created" | "changed" | "drifted";

/** An object of a set with the result of applying it and its readiness. */
export interface ItemResult {
  readonly item: ManifestItem;
  readonly outcome: ApplyOutcome;
  readonly readiness: Readiness;
}

/** Describes the contention on an object; undefined if there is none. */
export function contestOf({ item, outcome }: ItemResult): string | undefined {
  if (outcome.kind !== "applied" || outcome.contest === undefined) return undefined;
  return describeDispute(describeLiveRef(item.ref), outcome.contest.dispute);
}

/** Returns a `waiting` outcome. */
export function waitingOutcome(reason: string, message: string): ApplyOutcome {
  return { kind: "waiting", reason, message };
}

/** Returns a `failed` outcome. */
export function failedOutcome(reason: string, message: string): ApplyOutcome {
  return { kind: "failed", reason, message };
}
