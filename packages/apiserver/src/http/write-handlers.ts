import { PATCH_TYPES } from "@levelset/core/internal";
import { checkDuplicateFields, parsePatch } from "../registry/index.ts";
import { deleteOptionsFromBody, deleteOptionsFromQuery } from "../resource/index.ts";
import type { RegistryDeleteResult, Registry, ResourceObjectRef, WriteOptions } from "../registry/index.ts";
import type { DeleteOptions, Resource, WritableSubresource } from "../resource/index.ts";
import { dataResponse, jsonResponse, withWarning } from "./api-response.ts";
import type { ApiResponse } from "./api-response.ts";
import { contentTypeOf, readObjectBody, readDeleteOptionsBody, readBodyText } from "./request/request-body.ts";
import { parseApplyConfiguration } from "./request/apply-configuration.ts";
import type { ApiRequest } from "./request/api-request.ts";
import { listObjects } from "./list.ts";
import type { ListScope } from "./list.ts";
import type { ResponseEncoder } from "./response-encoder.ts";
import { parseForce, parseWriteOptions } from "./request/query-params.ts";

/** A write request. */
export interface WriteRequest {
  readonly registry: Registry;
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
  readonly encoder: ResponseEncoder;
}

/** Handles POST to a collection. */
export async function handleCreate(write: WriteRequest, resource: Resource, namespace: string): Promise<ApiResponse> {
  const options = parseWriteOptions(write.query, "CreateOptions", write.request);
  const { value, duplicateFields } = await readObjectBody(write.request);
  const duplicateWarnings = checkDuplicateFields(resource, duplicateFields, options.fieldValidation);
  const { view, warnings } = await write.registry.create(resource, namespace, value, options);
  return jsonResponse(write.encoder.object(view), 201, [...duplicateWarnings, ...warnings]);
}

/** Handles PUT of an object or its status. */
export async function handleUpdate(
  write: WriteRequest,
  target: ResourceObjectRef,
  subresource: WritableSubresource | undefined,
): Promise<ApiResponse> {
  const options = parseWriteOptions(write.query, "UpdateOptions", write.request);
  const { value, duplicateFields } = await readObjectBody(write.request);
  const duplicateWarnings = checkDuplicateFields(target.resource, duplicateFields, options.fieldValidation);
  const { view, warnings, created = false } = await write.registry.update(target, value, subresource, options);
  return jsonResponse(write.encoder.object(view), created ? 201 : 200, [...duplicateWarnings, ...warnings]);
}

/** Handles PATCH of an object or its status. */
export async function handlePatch(
  write: WriteRequest,
  target: ResourceObjectRef,
  subresource: WritableSubresource | undefined,
): Promise<ApiResponse> {
  const type = contentTypeOf(write.request);
  const text = await readBodyText(write.request);
  const force = parseForce(write.query, type === PATCH_TYPES.apply);
  const options = parseWriteOptions(write.query, "PatchOptions", write.request);
  if (type === PATCH_TYPES.apply) return applyAnswer(write, target, subresource, text, { ...options, force });
  const patch = parsePatch(target.resource, type, text);
  const { view, warnings } = await write.registry.patch(target, patch, subresource, options);
  return jsonResponse(write.encoder.object(view), 200, warnings);
}

async function applyAnswer(
  write: WriteRequest,
  target: ResourceObjectRef,
  subresource: WritableSubresource | undefined,
  text: string,
  options: WriteOptions & { readonly force: boolean },
): Promise<ApiResponse> {
  const configuration = parseApplyConfiguration(text, options.fieldValidation);
  const { view, warnings, created } = await write.registry.apply(target, configuration, subresource, options);
  return jsonResponse(write.encoder.object(view), created ? 201 : 200, warnings);
}

/** Handles DELETE of an object. Returns the object if it is still terminating, a Success otherwise. */
export async function handleDelete(write: WriteRequest, target: ResourceObjectRef): Promise<ApiResponse> {
  const options = await deleteOptions(write);
  const { returnDeletedObject, deletionWarning } = target.resource.strategy;
  const deleted = await write.registry.delete(target, options);
  const isWaiting = deleted.kind === "waiting";
  const isCascade = options.orphanDependents === false || options.propagationPolicy === "Foreground";
  const code = isWaiting && isCascade ? 202 : 200;
  const response =
    isWaiting || returnDeletedObject === true
      ? jsonResponse(write.encoder.object(deleted.view), code)
      : dataResponse(success(target.resource, deleted));
  const isDefault = options.propagationPolicy === undefined && options.orphanDependents === undefined;
  return isDefault && deletionWarning !== undefined ? withWarning(response, deletionWarning) : response;
}

/** Handles DELETE of a collection. Returns the deleted objects. */
export async function handleDeleteCollection(write: WriteRequest, scope: ListScope): Promise<ApiResponse> {
  const options = await deleteOptions(write);
  const page = listObjects(write.registry, scope, write.query);
  for (const { object } of page.views) {
    const { name, namespace = "", uid } = object.metadata;
    // The uid protects an object that was recreated under the same name.
    const preconditions = { uid, ...options.preconditions };
    await write.registry
      .delete({ resource: scope.resource, namespace, name }, { ...options, preconditions })
      .catch(unlessGone);
  }
  return jsonResponse(write.encoder.list(page.views, page.meta));
}

function unlessGone(error: unknown): void {
  const isGone =
    error instanceof Error && "reason" in error && (error.reason === "NotFound" || error.reason === "Conflict");
  if (!isGone) throw error;
}

function success(resource: Resource, deleted: RegistryDeleteResult): unknown {
  const { name, uid } = deleted.view.object.metadata;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.plural, uid },
  };
}

/** Options in the body replace those of the query. */
async function deleteOptions(write: WriteRequest): Promise<DeleteOptions> {
  const body = await readDeleteOptionsBody(write.request);
  return body === undefined ? deleteOptionsFromQuery(write.query) : deleteOptionsFromBody(body);
}
