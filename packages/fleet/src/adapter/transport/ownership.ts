/**
 * Ownership of objects. An adapter changes and deletes only objects with its own label and the annotation of the fleet
 * resource. `adopt` extends this to objects without an owner, never to those of another owner.
 */
import { controllerOf } from "@levelset/core";
import { annotatedOwnerOf } from "@levelset/core/internal";
import type { JsonObject, KubeObject } from "@levelset/core";
import { metadataOf, nameOf, objectOrEmpty } from "../json-parts.ts";
import { ADAPTER_LABEL, adapterLabel, recordedOwnerOf } from "./owner-labels.ts";
import type { OwnerInfo } from "./owner-labels.ts";
import { AdapterTransportError } from "./adapter-transport-error.ts";

/** Label on every object of an Operand. */
const MANAGED_LABEL = "operand.levelset.dev/managed";

/** Ownership of an object from the point of view of one adapter and one fleet resource. */
export type Ownership =
  | { readonly kind: "ours" }
  /** No owner is known. */
  | { readonly kind: "unowned" }
  /** `owner` is its display name; `release` is how to release the object from it. */
  | { readonly kind: "other"; readonly owner: string; readonly release: string | undefined };

/** Objects that an adapter may write: those it owns and, with `adopt`, those without an owner. */
export interface OwnerClaim {
  readonly owner: OwnerInfo;
  readonly adopt: boolean;
}

/** Returns the ownership of an object, from its labels, its controller and the labels of other levelset components. */
export function ownershipOf(object: JsonObject, mark: OwnerInfo): Ownership {
  const { adapter, resourceId, resourceKind } = recordedOwnerOf(object);
  if (adapter !== undefined && resourceId !== undefined) {
    const isKind = resourceKind === undefined || mark.resourceKind === undefined || resourceKind === mark.resourceKind;
    if (adapter === adapterLabel(mark.adapter) && resourceId === mark.resourceId && isKind) return { kind: "ours" };
    const owner = `${resourceKind ?? "resource"} ${resourceId} of adapter ${adapter}`;
    return { kind: "other", owner, release: `delete the object or its label ${ADAPTER_LABEL} to release it` };
  }
  const owner = managerOf(object);
  return owner === undefined ? { kind: "unowned" } : { kind: "other", owner, release: undefined };
}

/** Returns whether a claim covers an object of this ownership. */
export function isClaimed({ kind }: Ownership, { adopt }: Pick<OwnerClaim, "adopt">): boolean {
  return kind === "ours" || (adopt && kind === "unowned");
}

/** An existing object in the place of a resource has another owner or none. It was not changed. */
export class NotOwnedError extends AdapterTransportError {
  override readonly name = "NotOurs";

  constructor(object: JsonObject, ownership: Ownership) {
    // The object may be renamed or deleted without a change of the configuration.
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

/** Returns kind, namespace and name for messages. */
export function describeObject(object: JsonObject): string {
  const { kind } = object;
  const { namespace } = metadataOf(object);
  const prefix = typeof namespace === "string" ? `${namespace}/` : "";
  return `${typeof kind === "string" ? kind : "object"} ${prefix}${nameOf(object)}`;
}

/** Returns the controller of an object, or the owner recorded by an operator or an Operand. */
function managerOf(object: JsonObject): string | undefined {
  // Untrusted data: each part is checked before use.
  const controller = controllerOf({ ...object, metadata: metadataOf(object) } as unknown as KubeObject);
  if (controller !== undefined) return `${controller.kind} ${controller.name}`;
  const owner = annotatedOwnerOf({ ...object, metadata: metadataOf(object) } as unknown as KubeObject);
  if (owner !== undefined) return `${owner.kind} ${owner.name}`;
  return objectOrEmpty(metadataOf(object)["labels"])[MANAGED_LABEL] === undefined ? undefined : "an Operand";
}
