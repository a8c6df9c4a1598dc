/**
 * Whose an object is. An adapter changes and deletes only objects that carry its marks: the label with the adapter and the annotation with
 * the fleet's resource. `adopt` extends this to objects without an owner, never to those of another.
 */
import { controllerOf, markedOwner } from "@levelset/core";
import type { JsonObject, KubeObject } from "@levelset/core";
import { metadataOf, nameOf, objectOf } from "../json-parts.ts";
import { ADAPTER_LABEL, adapterLabel, markOf } from "./marks.ts";
import type { Mark } from "./marks.ts";
import { TransportFailure } from "./transport-failure.ts";

/** Label on every object of an Operand. */
const MANAGED_LABEL = "operand.levelset.dev/managed";

/** Whose an object is, seen from one adapter and one resource of the fleet. */
export type Ownership =
  | { readonly kind: "ours" }
  /** No owner is known. */
  | { readonly kind: "unowned" }
  /** `owner` names it for people; `release` is what takes it from its owner. */
  | { readonly kind: "other"; readonly owner: string; readonly release: string | undefined };

/** What an adapter claims: the objects with its mark and, with `adopt`, those without an owner. */
export interface Claim {
  readonly mark: Mark;
  readonly adopt: boolean;
}

/** Whose an object is, by its marks, its controller and the marks of other parts of levelset. */
export function ownershipOf(object: JsonObject, mark: Mark): Ownership {
  const { adapter, resourceId, resourceKind } = markOf(object);
  if (adapter !== undefined && resourceId !== undefined) {
    const isKind = resourceKind === undefined || mark.resourceKind === undefined || resourceKind === mark.resourceKind;
    if (adapter === adapterLabel(mark.adapter) && resourceId === mark.resourceId && isKind) return { kind: "ours" };
    const owner = `${resourceKind ?? "resource"} ${resourceId} of adapter ${adapter}`;
    return { kind: "other", owner, release: `delete the object or its label ${ADAPTER_LABEL} to release it` };
  }
  const owner = managerOf(object);
  return owner === undefined ? { kind: "unowned" } : { kind: "other", owner, release: undefined };
}

/** Whether a claim covers an object of this ownership. */
export function isClaimed({ kind }: Ownership, { adopt }: Pick<Claim, "adopt">): boolean {
  return kind === "ours" || (adopt && kind === "unowned");
}

/** An object is in the place of a resource and belongs to another owner, or has none. It was not touched. */
export class NotOurs extends TransportFailure {
  override readonly name = "NotOurs";

  constructor(object: JsonObject, ownership: Ownership) {
    // The object may get another name, or go, without any change of the configuration.
    super(`NotOurs: ${describeObject(object)} ${reasonOf(ownership)}`, true, { means: "failed" });
  }
}

function reasonOf(ownership: Ownership): string {
  if (ownership.kind !== "other") {
    const hint = "render another name, or set adopt: true on the resource to take it over";
    return `exists and no adapter owns it; ${hint}`;
  }
  const { owner, release } = ownership;
  return `belongs to ${owner}; render another name${release === undefined ? "" : `, or ${release}`}`;
}

/** Kind, namespace and name, for people. */
export function describeObject(object: JsonObject): string {
  const { kind } = object;
  const { namespace } = metadataOf(object);
  const place = typeof namespace === "string" ? `${namespace}/` : "";
  return `${typeof kind === "string" ? kind : "object"} ${place}${nameOf(object)}`;
}

/** The controller of an object, or the owner that a mark of an operator or an Operand names. */
function managerOf(object: JsonObject): string | undefined {
  // Data of a server: each part is looked at before it is used.
  const controller = controllerOf({ ...object, metadata: metadataOf(object) } as unknown as KubeObject);
  if (controller !== undefined) return `${controller.kind} ${controller.name}`;
  const owner = markedOwner({ ...object, metadata: metadataOf(object) } as unknown as KubeObject);
  if (owner !== undefined) return `${owner.kind} ${owner.name}`;
  return objectOf(metadataOf(object)["labels"])[MANAGED_LABEL] === undefined ? undefined : "an Operand";
}
