import { findCondition, mirror, READY, readinessOf, unreachable } from "@levelset/core";
import type { AnyCustomKind, Conditioned, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { describeRef, ok, refOf, wait } from "../step/index.ts";
import type { Result } from "../step/index.ts";
import { childReady } from "./child-ready.ts";
import type { ChildReq } from "./child-req.ts";

/**
 * Whether an object that another client makes can be used. A kind with the conditions of this package is judged by its Ready, as a
 * sub CR is. Built-in kinds are judged by their own rules; one without a status is ready by existing. Kinds of other projects count as
 * never reconciled until they report a condition that their schema has.
 */
export async function dependencyReady<C extends Kind>(
  req: ChildReq,
  kind: C,
  other: ObjectOf<C>,
): Promise<Result<ObjectOf<C>>> {
  if (isCustom(kind) && judgedByReady(kind, other)) return childReady(req, kind, other);
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
      // Its changes enqueue the object: the step needs no error of its own.
      return wait(`${what}: ${readiness.message}`, { severity: "Error", reason: readiness.reason, on: [ref] });
    default:
      return unreachable(readiness);
  }
}

/** Kinds that `kind()` and `kindFromCrd()` make have columns; built-in ones have not. */
function isCustom(kind: Kind): kind is AnyCustomKind {
  return Object.hasOwn(kind, "columns");
}

/** Conditions that say whether an object of another project is ready where it has no Ready. */
const OTHERS = ["Available", "Stalled", "Reconciling"];

/** Whether Ready decides, rather than what `readinessOf` reads from the object. */
function judgedByReady(kind: AnyCustomKind, other: KubeObject & { readonly status?: unknown }): boolean {
  const status = kind.schema.properties?.["status"];
  const declared = status?.properties?.["conditions"];
  if (declared?.items?.properties?.["severity"] !== undefined) return true;
  const { conditions } = Object(other.status) as { readonly conditions?: unknown }; // of another project: anything may be there
  if (!Array.isArray(conditions) || conditions.length === 0) {
    const isOpen = status?.["x-kubernetes-preserve-unknown-fields"] === true;
    // A status that takes any field may have conditions as soon as there is one.
    return declared?.type === "array" || (isOpen && other.status === undefined);
  }
  const reported = other as Conditioned;
  if (OTHERS.some((type) => findCondition(reported.status?.conditions, type) !== undefined)) return false;
  if (status?.properties?.["observedGeneration"] === undefined && !reportsGeneration(reported)) return false;
  // A False of another project does not say how bad it is.
  return mirror("", reported).status !== "False";
}

/** Some projects never say which generation their Ready is about. */
function reportsGeneration({ status }: Conditioned): boolean {
  const ready = findCondition(status?.conditions, READY);
  return ready === undefined || (status?.observedGeneration ?? ready.observedGeneration) !== undefined;
}
