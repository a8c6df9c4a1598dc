import type { KubeObject, Readiness } from "@levelset/core";
import { describeDispute } from "../apply/index.ts";
import type { Contest } from "../apply/index.ts";
import type { Item } from "./item.ts";
import { describeLiveRef } from "./live-ref.ts";

/** What came of one object of a set. */
export type Outcome =
  /** It is as the manifest says, or as its mode allows. `object` is absent only for what is none of our business. */
  | {
      readonly kind: "applied";
      readonly object: KubeObject | undefined;
      readonly change: Change;
      /** Another client writes it too, so that it may not be as the manifest says. */
      readonly contest?: Contest | undefined;
    }
  /** Something must happen first, and will. */
  | { readonly kind: "waiting"; readonly reason: string; readonly message: string }
  /** It went wrong. */
  | { readonly kind: "failed"; readonly reason: string; readonly message: string };

/** What was written for an object. A drifted one was only looked at, and is not as it should be. */
export type Change = "none" | "created" | "changed" | "drifted";

/** An object of a set: what came of applying it, and how far it is. */
export interface JudgedItem {
  readonly item: Item;
  readonly outcome: Outcome;
  readonly readiness: Readiness;
}

/** What is contested of an object, in words; undefined where nothing is. */
export function contestOf({ item, outcome }: JudgedItem): string | undefined {
  if (outcome.kind !== "applied" || outcome.contest === undefined) return undefined;
  return describeDispute(describeLiveRef(item.ref), outcome.contest.dispute);
}

/** Something must happen first. */
export function waiting(reason: string, message: string): Outcome {
  return { kind: "waiting", reason, message };
}

/** It went wrong. */
export function failed(reason: string, message: string): Outcome {
  return { kind: "failed", reason, message };
}
