import type { CustomCondition } from "./custom-condition.ts";
import type { RollUps } from "./roll-up.ts";
import type { SpecSchema } from "./spec-schema.ts";

/** What references of one type a resource may have. */
export interface ReferenceRule {
  readonly type: string;
  readonly targetKind: string;
  readonly min: number;
  /** Undefined for any number. */
  readonly max: number | undefined;
}

/** A kind of resource, as declared and checked. */
export interface FleetKind {
  readonly kind: string;
  /** How it is called in paths. */
  readonly plural: string;
  /** The kind whose children these are, and what becomes of them when their parent is deleted. */
  readonly parent: { readonly kind: string; readonly onDelete: "restrict" | "cascade" } | undefined;
  /** The adapters that must report, by name. Without any, the resource carries no conditions that sum it up. */
  readonly requiredAdapters: readonly string[];
  readonly references: readonly ReferenceRule[];
  readonly specSchema: SpecSchema | undefined;
  /** The conditions that the kind defines itself, by type. */
  readonly conditions: readonly CustomCondition[];
  readonly rollUps: RollUps;
  readonly nameMin: number;
  readonly nameMax: number;
}

/** Conditions that sum up a resource, and by what other name the public clients know them. */
export const ROLL_UP_TYPES = {
  ready: { type: "Ready", alias: "Reconciled" },
  available: { type: "Available", alias: "LastKnownReconciled" },
} as const;

/** The condition that mirrors an adapter's verdict: `pull-secret` is `PullSecretSuccessful`. */
export function adapterConditionType(adapter: string): string {
  const words = adapter.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Successful`;
}
