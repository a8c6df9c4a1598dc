import type { CustomCondition } from "../rule/custom-condition.ts";
import type { RollUps } from "../rule/roll-up.ts";
import type { SpecSchema } from "./spec-schema.ts";

/** References of one type that a resource may have. */
export interface ReferenceRule {
  readonly type: string;
  readonly targetKind: string;
  readonly min: number;
  /** Undefined for unlimited. */
  readonly max: number | undefined;
}

/** A validated kind of resource. */
export interface FleetKind {
  readonly kind: string;
  /** Name in paths. */
  readonly plural: string;
  /** The parent kind, and what happens to children when the parent is deleted. */
  readonly parent: { readonly kind: string; readonly onDelete: "restrict" | "cascade" } | undefined;
  /** Names of the adapters that must report. Without any, the resource has no Ready and Available conditions. */
  readonly requiredAdapters: readonly string[];
  readonly references: readonly ReferenceRule[];
  readonly specSchema: SpecSchema | undefined;
  /** Custom conditions of the kind by type. */
  readonly conditions: readonly CustomCondition[];
  readonly rollUps: RollUps;
  readonly nameMin: number;
  readonly nameMax: number;
}

/** The summary conditions Ready and Available with the aliases that HyperFleet clients use. */
export const ROLL_UP_TYPES = {
  ready: { type: "Ready", alias: "Reconciled" },
  available: { type: "Available", alias: "LastKnownReconciled" },
} as const;

/** Returns the type of the condition that mirrors an adapter's verdict: `pull-secret` is `PullSecretSuccessful`. */
export function adapterConditionType(adapter: string): string {
  const words = adapter.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Successful`;
}
