import { applyDefaults, prune } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { unconvertible } from "./failure.ts";
import type { Resource } from "./resource.ts";

/**
 * An object of a declared kind in one of its versions. In its own it gets the present defaults; in another it keeps only what both
 * declare, without that one's defaults, as on the real server. Throws NotAcceptable where it would take a webhook.
 */
export function converted(resource: Resource, object: ApiObject, apiVersion: string): ApiObject {
  const own = schemaOf(resource, object.apiVersion);
  const complete = applyDefaults(own, prune(own, bodyOf(object)).value);
  if (object.apiVersion === apiVersion) return withFields(object, apiVersion, complete);
  if (resource.conversion === "Webhook") throw unconvertible(resource);
  return withFields(object, apiVersion, prune(schemaOf(resource, apiVersion), complete).value);
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
  // Pruning and defaults give an object for an object.
  return { apiVersion, kind, metadata, ...(fields as Readonly<Record<string, unknown>>) };
}
