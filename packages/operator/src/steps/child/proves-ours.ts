import { controllerOf, isDeleting, isJsonObject, isOwnedBy, objectKeyOf } from "@levelset/core";
import { isRemoteOwner, ownerAnnotations } from "@levelset/core/internal";
import type { JsonValue, Kind, KubeObject, ManagedFieldsEntry, ObjectOf } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import { APPLIED_ANNOTATION, creatingStepOf, STEP_ANNOTATION } from "./child-manifest.ts";
import type { ChildReq } from "./child-req.ts";

/** The owner and the step that claim a child whose owner reference or owner annotation another client has removed. */
export interface ChildClaim {
  readonly owner: KubeObject;
  readonly step: string;
  /** The field manager of the owner's operator. */
  readonly manager: string;
  /** The hash of the fields that the step would apply now, which covers the UID of the owner; undefined if unknown. */
  readonly applied: string | undefined;
}

/**
 * Reports whether a stripped child is ours, as read from the server. The marks that are left must name this step and the
 * UID of this owner, so that the child of a deleted namesake is not taken over, and managedFields must show that our
 * field manager applied the step annotation, so that a copy made by another client is not. A child with a controller, or
 * with marks of another owner, is never ours.
 */
export function provesOurs(child: KubeObject, claim: ChildClaim): boolean {
  return (
    hasMarksOf(child, claim) && (child.metadata.managedFields ?? []).some((entry) => isSetBy(entry, claim.manager))
  );
}

/** The part of the proof that a cached object can give: it has no managedFields. */
function hasMarksOf(child: KubeObject, { owner, step, applied }: ChildClaim): boolean {
  if (controllerOf(child) !== undefined || creatingStepOf(child) !== step) return false;
  const { labels, annotations } = child.metadata;
  const marks = ownerAnnotations(owner);
  const left = [...marksIn(labels, marks.labels), ...marksIn(annotations, marks.annotations)];
  if (left.includes("other")) return false;
  const isHashed = applied !== undefined && annotations?.[APPLIED_ANNOTATION] === applied;
  return isHashed || isOwnedBy(child, owner) || marksIn(labels, marks.labels).includes("same");
}

/** Compares the marks that an object has with those of the owner. */
function marksIn(
  present: Readonly<Record<string, string>> | undefined,
  marks: Readonly<Record<string, string>>,
): readonly ("absent" | "same" | "other")[] {
  return Object.entries(marks).map(([name, value]) => {
    const found = present?.[name];
    return found === undefined ? "absent" : found === value ? "same" : "other";
  });
}

function isSetBy({ manager, operation, subresource = "", fieldsV1 }: ManagedFieldsEntry, name: string): boolean {
  if (manager !== name || operation !== "Apply" || subresource !== "") return false;
  const path = ["f:metadata", "f:annotations", `f:${STEP_ANNOTATION}`];
  // Entries are parsed from JSON.
  const fields = fieldsV1 as JsonValue | undefined;
  return (
    path.reduce<JsonValue | undefined>((at, field) => (isJsonObject(at) ? at[field] : undefined), fields) !== undefined
  );
}

/**
 * Reads a stripped child from the server, and returns it if it is ours. Sends no request unless the marks of the cached
 * object are ours, so neither a settled child nor a foreign object costs one.
 */
export async function provenChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  cached: ObjectOf<C>,
  claim: Omit<ChildClaim, "owner" | "manager">,
): Promise<ObjectOf<C> | undefined> {
  const full = { ...claim, owner: req.object, manager: req.client.fieldManager };
  if (!hasMarksOf(cached, full)) return undefined;
  const live = await liveObject(req, kind, objectKeyOf(cached));
  return live !== undefined && provesOurs(live, full) ? live : undefined;
}

/**
 * Reports whether the owner of a run exists and is not being deleted, as read from the server. With orphan propagation
 * the garbage collector removes owner references, and a stale cache would restore them.
 */
export async function isOwnerLive(req: ChildReq): Promise<boolean> {
  if (isRemoteOwner(req.object)) return true;
  const live = await liveObject(req, req.kind, objectKeyOf(req.object));
  return live?.metadata.uid === req.object.metadata.uid && !isDeleting(live);
}
