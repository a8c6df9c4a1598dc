import { deepEqual, invalidError } from "@levelset/core";
import type { FieldError, ObjectMeta } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { objectErrors, writable } from "./create.ts";
import type { Draft } from "./decode.ts";
import { conflict, STALE } from "./failure.ts";
import { invalidField } from "./field.ts";
import { rulesOf } from "./kinds.ts";
import { metadataUpdateErrors } from "./metadata.ts";
import type { Resource } from "./resource.ts";
import type { RuleContext } from "./rules.ts";

/** Which part of an object a request is about. */
export type Subresource = "status" | undefined;

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
  const merged = subresource === "status" ? withStatusOf(old, draft) : withBodyOf(resource, old, draft, context);
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

function withStatusOf(old: ApiObject, draft: Draft): ApiObject {
  const { status: _status, ...rest } = old;
  // The spread of the rest keeps apiVersion, kind and metadata, which TypeScript loses with the index signature.
  const kept = rest as ApiObject;
  return draft["status"] === undefined ? kept : { ...kept, status: draft["status"] };
}

function withBodyOf(resource: Resource, old: ApiObject, draft: Draft, context: RuleContext): ApiObject {
  const { status: _status, ...withoutStatus } = draft;
  const status = old["status"] === undefined ? {} : { status: old["status"] };
  const shell: ApiObject = {
    ...(resource.hasStatus ? { ...withoutStatus, ...status } : draft),
    apiVersion: old.apiVersion,
    kind: draft.kind,
    metadata: updatedMetadata(old.metadata, draft.metadata),
  };
  const object = rulesOf(resource).prepareUpdate?.(shell, old, context) ?? shell;
  if (old.metadata.generation === undefined || deepEqual(desired(resource, object), desired(resource, old)))
    return object;
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
    ...(old.generateName === undefined ? {} : { generateName: old.generateName }),
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
  const errors = [...metadataUpdateErrors(next.metadata, old.metadata), ...objectErrors(resource, next, old)];
  // A status writer is not to blame for the rest.
  return subresource === "status" ? errors.filter((error) => /^status\b/u.test(error.field)) : errors;
}
