import type { Clock, Logger, Random } from "@levelset/core";
import { methodNotAllowedError, noSuchResourceError, notFoundError } from "../resource/index.ts";
import type { Registry, ResourceObjectRef } from "../registry/index.ts";
import type { Resource } from "../resource/index.ts";
import { negotiateFormat } from "./request/negotiation.ts";
import { jsonResponse, textResponse, withWarning } from "./api-response.ts";
import type { ApiResponse } from "./api-response.ts";
import type { DiscoveryDocuments } from "./discovery/discovery-documents.ts";
import type { ApiRequest } from "./request/api-request.ts";
import { checkRevisionReached, listObjects } from "./list.ts";
import type { ApiServerMetrics } from "./metrics/metrics.ts";
import { createResponseEncoder } from "./response-encoder.ts";
import type { ResponseEncoder } from "./response-encoder.ts";
import { booleanParam, resourceVersionParam } from "./request/query-params.ts";
import type { ResourceRoute, ServerRoute, ApiRoute } from "./request/api-route.ts";
import { handleSubresource, handleVirtualCreate } from "./subresource.ts";
import { handleWatch } from "./watch/watch.ts";
import { handleCreate, handleDelete, handleDeleteCollection, handlePatch, handleUpdate } from "./write-handlers.ts";
import type { WriteRequest } from "./write-handlers.ts";

/** Options of {@link handleRequest}. */
export interface RequestHandlerOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Counts responses. */
  readonly metrics: ApiServerMetrics;
  /** Discovery and OpenAPI documents. */
  readonly documents: DiscoveryDocuments;
  /** Interval of the bookmarks of watches. Default: one minute. */
  readonly bookmarkMs?: number | undefined;
}

/** Handles requests for objects and discovery documents. Throws StatusError for errors of the request. */
export async function handleRequest(
  options: RequestHandlerOptions,
  request: ApiRequest,
  route: Exclude<ApiRoute, ServerRoute>,
  query: URLSearchParams,
): Promise<ApiResponse> {
  if (route.kind === "object") return objectAnswer(options, request, route, query);
  if (route.kind === "unknown") return textResponse("404 page not found\n", 404);
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowedError();
  return options.documents.respond(request, route, query);
}

async function objectAnswer(
  options: RequestHandlerOptions,
  request: ApiRequest,
  route: ResourceRoute,
  query: URLSearchParams,
): Promise<ApiResponse> {
  const { registry } = options;
  const resource = registry.catalog.find(route.group, route.version, route.plural);
  if (resource === undefined && !options.documents.hasGroup(route.group))
    return textResponse("404 page not found\n", 404);
  if (resource === undefined) throw noSuchResourceError();
  if (route.namespace !== "" && resource.scope === "Cluster") throw noSuchResourceError();
  const found = await resourceAnswer(options, request, route, query, resource);
  return resource.deprecation === undefined ? found : withWarning(found, resource.deprecation);
}

async function resourceAnswer(
  options: RequestHandlerOptions,
  request: ApiRequest,
  route: ResourceRoute,
  query: URLSearchParams,
  resource: Resource,
): Promise<ApiResponse> {
  const { registry, clock } = options;
  const format = negotiateFormat(request);
  const includeObject = query.get("includeObject") ?? "";
  const presenting = (of: Resource): ResponseEncoder =>
    createResponseEncoder({ format, resource: of, includeObject, clock });
  const write: WriteRequest = { registry, request, query, encoder: presenting(resource) };
  if (route.name === undefined) return collectionAnswer(options, write, route, resource);
  if (resource.scope === "Namespaced" && route.namespace === "") throw noSuchResourceError();
  const target: ResourceObjectRef = { resource, namespace: route.namespace, name: route.name };
  if (route.subresource === undefined) return singleAnswer(write, target);
  const part = resource.subresources.find(({ name }) => name === route.subresource);
  if (part === undefined) throw resource.isCustom ? notFoundError(resource, route.name) : noSuchResourceError();
  return handleSubresource({ ...write, clock, target, encoderFor: presenting }, part);
}

async function collectionAnswer(
  options: RequestHandlerOptions,
  write: WriteRequest,
  route: ResourceRoute,
  resource: Resource,
): Promise<ApiResponse> {
  const { registry, request, query, encoder } = write;
  const scope = { resource, namespace: route.namespace === "" ? undefined : route.namespace };
  const hasPlace = resource.scope === "Cluster" || route.namespace !== "";
  if (resource.virtualCreate !== undefined) {
    if (!hasPlace) throw noSuchResourceError();
    return handleVirtualCreate({ ...write, clock: options.clock }, resource, resource.virtualCreate, route.namespace);
  }
  switch (request.method) {
    case "GET":
      if (booleanParam(query, "watch") === true) return watchOf(options, write, scope);
      return listAnswer(registry, scope, query, encoder);
    case "POST":
      if (!hasPlace) throw methodNotAllowedError();
      return handleCreate(write, resource, route.namespace);
    case "DELETE":
      if (!hasPlace || !resource.verbs.includes("deletecollection")) throw methodNotAllowedError();
      return handleDeleteCollection(write, scope);
    default:
      throw methodNotAllowedError();
  }
}

function listAnswer(
  registry: Registry,
  scope: Parameters<typeof listObjects>[1],
  query: URLSearchParams,
  responseEncoder: ResponseEncoder,
): ApiResponse {
  const page = listObjects(registry, scope, query);
  return jsonResponse(responseEncoder.list(page.views, page.meta));
}

function watchOf(
  options: RequestHandlerOptions,
  write: WriteRequest,
  scope: Parameters<typeof handleWatch>[1],
): ApiResponse {
  const { clock, random, registry, metrics, bookmarkMs } = options;
  const { encoder, request } = write;
  const opened = (): (() => void) => metrics.trackWatch(scope.resource);
  return handleWatch(
    { registry, clock, random, bookmarkMs, responseEncoder: encoder, signal: request.signal, onOpen: opened },
    scope,
    write.query,
  );
}

async function singleAnswer(write: WriteRequest, target: ResourceObjectRef): Promise<ApiResponse> {
  const { registry, request, query, encoder } = write;
  switch (request.method) {
    case "GET": {
      checkRevisionReached(registry, resourceVersionParam(query) ?? 0);
      return jsonResponse(encoder.object(registry.get(target)));
    }
    case "PUT":
      return handleUpdate(write, target, undefined);
    case "PATCH":
      return handlePatch(write, target, undefined);
    case "DELETE":
      return handleDelete(write, target);
    default:
      throw methodNotAllowedError();
  }
}
