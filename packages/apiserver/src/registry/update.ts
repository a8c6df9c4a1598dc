import { deepEqual, invalidError } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import type { ObjectMeta } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { objectErrors, withStatus, writableMetadata } from "./create.ts";
import type { UnvalidatedObject, Resource, StrategyContext, WritableSubresource } from "../resource/index.ts";
import {
  conflictError,
  OPTIMISTIC_LOCK_MESSAGE,
  invalidField,
  metadataErrors,
  metadataUpdateErrors,
  subresourceStrategyOf,
} from "../resource/index.ts";

/**
 * Returns the object after an update request. Equal to `old` if the request changes nothing. Throws Conflict for an
 * outdated resourceVersion or uid, and Invalid if validation fails.
 */
export function updatedObject(
  resource: Resource,
  old: ApiObject,
  draft: UnvalidatedObject,
  subresource: WritableSubresource | undefined,
  context: StrategyContext,
): ApiObject {
  checkPreconditions(resource, old, draft.metadata);
  const part = subresourceStrategyOf(resource, subresource);
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
    throw conflictError(resource, name, why);
  }
  if (resourceVersion === "" || resourceVersion === "0") {
    if (resource.allowUnconditionalUpdate) return;
    // This error contains the resource instead of the kind (k8s.io/apiserver/pkg/registry/generic/registry/store.go,
    // Kubernetes 1.36).
    const error = invalidField("metadata.resourceVersion", 0, "must be specified for an update");
    throw invalidError({ kind: resource.plural, group: resource.group, name }, [error]);
  }
  if (resourceVersion !== old.metadata.resourceVersion) throw conflictError(resource, name, OPTIMISTIC_LOCK_MESSAGE);
}

function withStatusOf(
  resource: Resource,
  old: ApiObject,
  draft: UnvalidatedObject,
  context: StrategyContext,
): ApiObject {
  const rules = resource.strategy;
  const keepsMetadata = resource.isCustom || rules.keepMetadataOnStatusUpdate === true;
  const shell: ApiObject = {
    ...withStatus(old, draft["status"]),
    apiVersion: old.apiVersion,
    kind: old.kind,
    metadata: keepsMetadata ? old.metadata : updatedMetadata(old.metadata, draft.metadata),
  };
  return rules.prepareForStatusUpdate?.(shell, old, context) ?? shell;
}

function withBodyOf(resource: Resource, old: ApiObject, draft: UnvalidatedObject, context: StrategyContext): ApiObject {
  const rules = resource.strategy;
  const shell: ApiObject = {
    ...(resource.hasStatus ? withStatus(draft, old["status"]) : draft),
    apiVersion: old.apiVersion,
    kind: draft.kind,
    metadata: updatedMetadata(old.metadata, draft.metadata),
  };
  const object = rules.prepareForUpdate?.(shell, old, context) ?? shell;
  const declared = (of: ApiObject): unknown => rules.generationFields?.(of) ?? desired(resource, of);
  if (old.metadata.generation === undefined || deepEqual(declared(object), declared(old))) return object;
  return { ...object, metadata: { ...object.metadata, generation: old.metadata.generation + 1 } };
}

/** Returns the fields whose change increments the generation. */
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
    ...writableMetadata(given),
  };
}

function updateErrors(
  resource: Resource,
  next: ApiObject,
  old: ApiObject,
  subresource: WritableSubresource | undefined,
): readonly FieldError[] {
  const moved = metadataUpdateErrors(next.metadata, old.metadata);
  const part = subresourceStrategyOf(resource, subresource);
  if (part !== undefined) return [...moved, ...(part.errors?.(next, old) ?? [])];
  if (subresource !== "status") return [...moved, ...objectErrors(resource, next, old)];
  // A status update reports only errors of the status.
  if (resource.isCustom) return objectErrors(resource, next, old).filter((error) => /^status\b/u.test(error.field));
  return [
    ...moved,
    ...metadataErrors(next.metadata, () => []),
    ...(resource.strategy.validateStatusUpdate?.(next, old) ?? []),
  ];
}
