import { deepEqual, invalidError } from "@levelset/core";
import type { FieldError, ObjectMeta } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { objectErrors, withStatus, writable } from "./create.ts";
import type { Draft } from "./draft.ts";
import { conflict, STALE } from "./failure.ts";
import { invalidField } from "./field.ts";
import { rulesOf } from "./kinds.ts";
import { metadataErrors, metadataUpdateErrors } from "./metadata.ts";
import type { Resource } from "./resource.ts";
import type { RuleContext } from "./rules.ts";
import { partRules } from "./subresource/part.ts";
import type { Subresource } from "./subresource/part.ts";

/**
 * The object that an update request leaves behind, given what is there now. Equal to `old` when the request changes nothing.
 * Throws Conflict for an old copy and Invalid for a wrong one.
 */
export function updatedObject(
  resource: Resource,
  old: ApiObject,
  draft: Draft,
  subresource: Subresource,
  context: RuleContext,
): ApiObject {
  checkPreconditions(resource, old, draft.metadata);
  const part = partRules(subresource);
  const merged =
    part?.merge(old, draft) ??
    (subresource === "status"
      ? withStatusOf(resource, old, draft, context)
      : withBodyOf(resource, old, draft, context));
  const errors = updateErrors(resource, merged, old, subresource);
  if (errors.length > 0) {
    throw invalidError({ kind: resource.kind, group: resource.group, name: old.metadata.name }, errors);
  }
  return merged;
}

function checkPreconditions(resource: Resource, old: ApiObject, given: Partial<ObjectMeta>): void {
  const { name } = old.metadata;
  const { uid = "", resourceVersion = "" } = given;
  if (uid !== "" && uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`;
    throw conflict(resource, name, why);
  }
  if (resourceVersion === "" || resourceVersion === "0") {
    if (resource.unconditionalUpdate) return;
    // The real server names the resource here, not the kind.
    const error = invalidField("metadata.resourceVersion", 0, "must be specified for an update");
    throw invalidError({ kind: resource.plural, group: resource.group, name }, [error]);
  }
  if (resourceVersion !== old.metadata.resourceVersion) throw conflict(resource, name, STALE);
}

function withStatusOf(resource: Resource, old: ApiObject, draft: Draft, context: RuleContext): ApiObject {
  const rules = rulesOf(resource);
  const keepsMetadata = resource.custom || rules.statusKeepsMetadata === true;
  const shell: ApiObject = {
    ...withStatus(old, draft["status"]),
    apiVersion: old.apiVersion,
    kind: old.kind,
    metadata: keepsMetadata ? old.metadata : updatedMetadata(old.metadata, draft.metadata),
  };
  return rules.prepareStatus?.(shell, old, context) ?? shell;
}

function withBodyOf(resource: Resource, old: ApiObject, draft: Draft, context: RuleContext): ApiObject {
  const rules = rulesOf(resource);
  const shell: ApiObject = {
    ...(resource.hasStatus ? withStatus(draft, old["status"]) : draft),
    apiVersion: old.apiVersion,
    kind: draft.kind,
    metadata: updatedMetadata(old.metadata, draft.metadata),
  };
  const object = rules.prepareUpdate?.(shell, old, context) ?? shell;
  const declared = (of: ApiObject): unknown => rules.declaration?.(of) ?? desired(resource, of);
  if (old.metadata.generation === undefined || deepEqual(declared(object), declared(old))) return object;
  return { ...object, metadata: { ...object.metadata, generation: old.metadata.generation + 1 } };
}

/** What counts as the declaration: a change of it raises the generation. */
function desired(resource: Resource, object: ApiObject): unknown {
  const { apiVersion: _a, kind: _k, metadata: _m, status, ...rest } = object;
  return resource.hasStatus ? rest : { ...rest, status };
}

function updatedMetadata(old: ObjectMeta, given: Partial<ObjectMeta>): ObjectMeta {
  const deletionTimestamp = old.deletionTimestamp ?? given.deletionTimestamp;
  const deletionGracePeriodSeconds = old.deletionGracePeriodSeconds ?? given.deletionGracePeriodSeconds;
  return {
    name: given.name ?? old.name,
    ...(given.generateName === undefined || given.generateName === "" ? {} : { generateName: given.generateName }),
    ...(old.namespace === undefined ? {} : { namespace: old.namespace }),
    uid: old.uid,
    resourceVersion: old.resourceVersion,
    ...(old.generation === undefined ? {} : { generation: old.generation }),
    ...(old.creationTimestamp === undefined ? {} : { creationTimestamp: old.creationTimestamp }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    ...writable(given),
  };
}

function updateErrors(
  resource: Resource,
  next: ApiObject,
  old: ApiObject,
  subresource: Subresource,
): readonly FieldError[] {
  const moved = metadataUpdateErrors(next.metadata, old.metadata);
  const part = partRules(subresource);
  if (part !== undefined) return [...moved, ...part.errors(next, old)];
  if (subresource !== "status") return [...moved, ...objectErrors(resource, next, old)];
  // A status writer is not to blame for the rest.
  if (resource.custom) return objectErrors(resource, next, old).filter((error) => /^status\b/u.test(error.field));
  return [
    ...moved,
    ...metadataErrors(next.metadata, () => []),
    ...(rulesOf(resource).validateStatus?.(next, old) ?? []),
  ];
}
