import { applyDefaults, pruneUnknownFields } from "@levelset/core/schema";
import type { StructuralSchema } from "@levelset/core/schema";
import type { ApiObject } from "../store/index.ts";
import { unconvertibleError } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";

/**
 * Converts a custom resource to one of its versions. In its own version it gets the current defaults. In another
 * version, fields that the version does not declare are pruned and no defaults are added. Throws NotAcceptable if the
 * conversion needs a webhook.
 */
export function convertToVersion(resource: Resource, object: ApiObject, apiVersion: string): ApiObject {
  const own = schemaOf(resource, object.apiVersion);
  const complete = applyDefaults(own, pruneUnknownFields(own, bodyOf(object)).value);
  if (object.apiVersion === apiVersion) return withFields(object, apiVersion, complete);
  if (resource.conversion === "Webhook") throw unconvertibleError(resource);
  return withFields(object, apiVersion, pruneUnknownFields(schemaOf(resource, apiVersion), complete).value);
}

function schemaOf(resource: Resource, apiVersion: string): StructuralSchema {
  return resource.versions.get(apiVersion) ?? resource.bodySchema;
}

function bodyOf(object: ApiObject): Readonly<Record<string, unknown>> {
  const { apiVersion: _a, kind: _k, metadata: _m, ...body } = object;
  return body;
}

function withFields(object: ApiObject, apiVersion: string, fields: unknown): ApiObject {
  const { kind, metadata } = object;
  // Pruning and defaulting return an object for an object.
  return { apiVersion, kind, metadata, ...(fields as Readonly<Record<string, unknown>>) };
}
