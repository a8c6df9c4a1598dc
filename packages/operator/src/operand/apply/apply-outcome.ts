import type { KubeObject, Readiness, StatusReason } from "@levelset/core";
import { describeDispute } from "../../apply/index.ts";
import type { Contest } from "../../apply/index.ts";
import { CONTESTED } from "../../engine/index.ts";
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
      /** Readiness of a Job that has failed or of a hook, which the health rules do not decide. */
      readonly readiness?: Readiness | undefined;
    }
  /** Waits for something that is expected to happen. */
  | { readonly kind: "waiting"; readonly reason: WaitReason; readonly message: string }
  /** Applying failed. */
  | { readonly kind: "failed"; readonly reason: FailReason; readonly message: string };

/** Why an object is not applied yet. */
export type WaitReason =
  /** Its kind is not served yet. */
  | "NotEstablished"
  /** Another client changes the object at the same moment. */
  | "Changing"
  | "BeingDeleted"
  /** It is deleted and recreated because an immutable field changed. */
  | "Recreating"
  | "EarlierWave"
  | "DependencyNotReady"
  | typeof CONTESTED;

/** Why applying an object failed: a refusal of our own, or the reason of the API server. */
export type FailReason =
  | StatusReason
  | "UnknownKind"
  /** The object is controlled by another owner. */
  | "NotOurs"
  | "ImmutableField"
  | "DependencyFailed"
  /** A dry run was rejected by a webhook that does not support dry runs. */
  | "NoDryRun"
  /** No response of the API server. */
  | "Error";

/**
 * Intervals between attempts for waits that end without a watch event: the server serves a kind some time after its CRD
 * is established, and objects without our label are not watched. Undefined if an event ends the wait.
 */
const RETRY_MS: Readonly<Record<WaitReason, number | undefined>> = {
  NotEstablished: 1_000,
  Changing: 1_000,
  BeingDeleted: 1_000,
  Recreating: 2_000,
  EarlierWave: undefined,
  DependencyNotReady: undefined,
  Contested: undefined,
};

/** Returns the delay after which an object that waits is applied again; undefined if a watch event triggers that. */
export function retryAfterMs(outcome: ApplyOutcome): number | undefined {
  return outcome.kind === "waiting" ? RETRY_MS[outcome.reason] : undefined;
}

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
export function waitingOutcome(reason: WaitReason, message: string): ApplyOutcome {
  return { kind: "waiting", reason, message };
}

/** Returns a `failed` outcome. */
export function failedOutcome(reason: FailReason, message: string): ApplyOutcome {
  return { kind: "failed", reason, message };
}

/** Waits before recreating an object that another client keeps deleting. */
export function heldOutcome({ ref }: ManifestItem, { dispute }: Contest): ApplyOutcome {
  return waitingOutcome(CONTESTED, describeDispute(describeLiveRef(ref), dispute));
}
