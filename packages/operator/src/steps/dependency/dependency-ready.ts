import { findCondition, READY, readinessOf } from "@levelset/core";
import { mirrorReady, unreachable } from "@levelset/core/internal";
import type { AnyCustomKind, ObjectWithConditions, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { describeRef, ok, refOf, wait } from "../../engine/index.ts";
import type { Result } from "../../engine/index.ts";
import { childReady } from "../child/child-ready.ts";
import type { ChildReq } from "../child/child-req.ts";

/**
 * Returns whether an object of another client is ready. A kind with this package's conditions is ready by its Ready
 * condition, like a sub CR. Built-in kinds have their own rules; one without a status is ready once it exists. Kinds of
 * other projects count as never reconciled until they report a condition of their schema.
 */
export async function dependencyReady<C extends Kind>(
  req: ChildReq,
  kind: C,
  other: ObjectOf<C>,
): Promise<Result<ObjectOf<C>>> {
  if (isCustom(kind) && evaluatedByReady(kind, other)) return childReady(req, kind, other);
  const ref = refOf(other);
  const what = describeRef(ref);
  const readiness = readinessOf(other);
  switch (readiness.kind) {
    case "ready":
      return ok(other);
    case "deleting":
      return wait(`${what} is being deleted`, { on: [ref] });
    case "progressing":
      return wait(`${what}: ${readiness.message}`, { on: [ref] });
    case "failed":
      // Its changes enqueue the object, so that no retry is needed.
      return wait(`${what}: ${readiness.message}`, { severity: "Error", reason: readiness.reason, on: [ref] });
    default:
      return unreachable(readiness);
  }
}

/** Kinds from `kind()` and `kindFromCrd()` have printer columns; built-in kinds do not. */
function isCustom(kind: Kind): kind is AnyCustomKind {
  return Object.hasOwn(kind, "columns");
}

/** Conditions that determine readiness of kinds of other projects without Ready. */
const OTHERS = ["Available", "Stalled", "Reconciling"];

/** Reports whether the Ready condition decides, rather than `readinessOf`. */
function evaluatedByReady(kind: AnyCustomKind, other: KubeObject & { readonly status?: unknown }): boolean {
  const status = kind.schema.properties?.["status"];
  const declared = status?.properties?.["conditions"];
  if (declared?.items?.properties?.["severity"] !== undefined) return true;
  const { conditions } = Object(other.status) as { readonly conditions?: unknown }; // of another project: any value is possible
  if (!Array.isArray(conditions) || conditions.length === 0) {
    const isOpen = status?.["x-kubernetes-preserve-unknown-fields"] === true;
    // A schemaless status may have conditions as soon as it exists.
    return declared?.type === "array" || (isOpen && other.status === undefined);
  }
  const reported = other as ObjectWithConditions;
  if (OTHERS.some((type) => findCondition(reported.status?.conditions, type) !== undefined)) return false;
  if (status?.properties?.["observedGeneration"] === undefined && !reportsGeneration(reported)) return false;
  // A False of another project has no severity.
  return mirrorReady("", reported).status !== "False";
}

/** Some projects never report the observed generation of Ready. */
function reportsGeneration({ status }: ObjectWithConditions): boolean {
  const ready = findCondition(status?.conditions, READY);
  return ready === undefined || (status?.observedGeneration ?? ready.observedGeneration) !== undefined;
}
