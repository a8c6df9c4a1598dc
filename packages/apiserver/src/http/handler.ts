import { isProgrammingError, StatusError, toError, unreachable } from "@levelset/core";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { methodNotAllowed, noSuchResource } from "../registry/index.ts";
import type { Registry, Resource, Subresource, Target } from "../registry/index.ts";
import { aggregatedVersion, formatOf } from "./accept.ts";
import { dataAnswer, failureAnswer, jsonAnswer, textAnswer } from "./answer.ts";
import {
  aggregated,
  coreVersions,
  groupDocument,
  groupList,
  groupsOf,
  groupVersionOf,
  resourceList,
  resourcesIn,
  VERSION,
} from "./discovery.ts";
import { atLeast, listPage } from "./list.ts";
import { openapiDocument, openapiIndex } from "./openapi.ts";
import { presenterOf } from "./presenter.ts";
import type { Presenter } from "./presenter.ts";
import { flag } from "./query.ts";
import { parseRoute } from "./route.ts";
import type { ObjectRoute, Route } from "./route.ts";
import { watchAnswer } from "./watch.ts";
import { createAnswer, deleteAnswer, deleteCollectionAnswer, patchAnswer, updateAnswer } from "./write.ts";
import type { WriteRequest } from "./write.ts";

/** What the HTTP side needs. */
export interface HandlerOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The API as a function. It answers every request, also those that fail; it rejects only when the request is aborted. */
export function createHandler(options: HandlerOptions): Fetch {
  return async (request) => {
    try {
      return await answer(options, request);
    } catch (error) {
      if (error instanceof StatusError) return failureAnswer(error);
      if (request.signal.aborted) throw error;
      options.logger.error("request failed", {
        method: request.method,
        path: new URL(request.url).pathname,
        error: toError(error),
        ...(isProgrammingError(error) ? { stack: toError(error).stack } : {}),
      });
      return failureAnswer(new StatusError("InternalError", "Internal error occurred"));
    }
  };
}

async function answer(options: HandlerOptions, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const route = parseRoute(url.pathname);
  if (route.kind === "object") return objectAnswer(options, request, route, url.searchParams);
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed();
  return documentAnswer(options, request, route);
}

function documentAnswer(options: HandlerOptions, request: Request, route: Exclude<Route, ObjectRoute>): Response {
  const { resources } = options.registry.catalog;
  switch (route.kind) {
    case "health":
      return textAnswer("ok");
    case "version":
      return dataAnswer(VERSION);
    case "versions":
      if (aggregatedVersion(request) !== undefined) {
        return aggregatedAnswer(resources.filter(({ group }) => group === ""));
      }
      return dataAnswer(coreVersions());
    case "groups":
      if (aggregatedVersion(request) !== undefined) {
        return aggregatedAnswer(resources.filter(({ group }) => group !== ""));
      }
      return dataAnswer(groupList(resources));
    case "group": {
      const group = groupsOf(resources).find(({ name }) => name === route.group);
      return group === undefined ? textAnswer("404 page not found\n", 404) : dataAnswer(groupDocument(group));
    }
    case "resources": {
      const found = resourcesIn(resources, route.group, route.version);
      if (found.length === 0) return textAnswer("404 page not found\n", 404);
      return dataAnswer(resourceList(found, groupVersionOf(found)));
    }
    case "openapi-index":
      return dataAnswer(openapiIndex(resources));
    case "openapi": {
      const found = resourcesIn(resources, route.group, route.version);
      return found.length === 0 ? textAnswer("404 page not found\n", 404) : dataAnswer(openapiDocument(found));
    }
    case "no-resource":
      throw noSuchResource();
    case "unknown":
      return textAnswer("404 page not found\n", 404);
    default:
      return unreachable(route);
  }
}

function aggregatedAnswer(resources: readonly Resource[]): Response {
  const response = dataAnswer(aggregated(resources));
  response.headers.set("content-type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  return response;
}

async function objectAnswer(
  options: HandlerOptions,
  request: Request,
  route: ObjectRoute,
  query: URLSearchParams,
): Promise<Response> {
  const { registry, clock } = options;
  const resource = registry.catalog.find(route.group, route.version, route.plural);
  if (resource === undefined) throw noSuchResource();
  if (route.namespace !== "" && resource.scope === "Cluster") throw noSuchResource();
  const format = formatOf(request);
  const presenter = presenterOf({ format, resource, includeObject: query.get("includeObject") ?? "Metadata", clock });
  const write: WriteRequest = { registry, request, query, presenter };
  if (route.name === undefined) return collectionAnswer(options, write, route, resource);
  if (resource.scope === "Namespaced" && route.namespace === "") throw noSuchResource();
  const target: Target = { resource, namespace: route.namespace, name: route.name };
  return singleAnswer(options, write, target, subresourceOf(resource, route));
}

function subresourceOf(resource: Resource, route: ObjectRoute): Subresource {
  if (route.subresource === undefined) return undefined;
  if (route.subresource === "status" && resource.hasStatus) return "status";
  throw noSuchResource();
}

async function collectionAnswer(
  options: HandlerOptions,
  write: WriteRequest,
  route: ObjectRoute,
  resource: Resource,
): Promise<Response> {
  const { registry, request, query, presenter } = write;
  const scope = { resource, namespace: route.namespace === "" ? undefined : route.namespace };
  const hasPlace = resource.scope === "Cluster" || route.namespace !== "";
  switch (request.method) {
    case "GET":
    case "HEAD":
      if (flag(query, "watch") === true) return watchOf(options, write, scope);
      return listAnswer(registry, scope, query, presenter);
    case "POST":
      if (!hasPlace) throw methodNotAllowed();
      return createAnswer(write, resource, route.namespace);
    case "DELETE":
      if (!hasPlace) throw methodNotAllowed();
      return deleteCollectionAnswer(write, scope);
    default:
      throw methodNotAllowed();
  }
}

function listAnswer(
  registry: Registry,
  scope: Parameters<typeof listPage>[1],
  query: URLSearchParams,
  presenter: Presenter,
): Response {
  const page = listPage(registry, scope, query);
  return jsonAnswer(presenter.list(page.views, page.meta));
}

function watchOf(options: HandlerOptions, write: WriteRequest, scope: Parameters<typeof watchAnswer>[1]): Response {
  const { clock, random, registry } = options;
  const { presenter, request } = write;
  return watchAnswer({ registry, clock, random, presenter, signal: request.signal }, scope, write.query);
}

async function singleAnswer(
  options: HandlerOptions,
  write: WriteRequest,
  target: Target,
  subresource: Subresource,
): Promise<Response> {
  const { registry, request, query, presenter } = write;
  switch (request.method) {
    case "GET":
    case "HEAD": {
      if (flag(query, "watch") === true && subresource === undefined) {
        const fields = [query.get("fieldSelector") ?? "", `metadata.name=${target.name}`];
        query.set("fieldSelector", fields.filter((field) => field !== "").join(","));
        const namespace = target.namespace === "" ? undefined : target.namespace;
        return watchOf(options, write, { resource: target.resource, namespace });
      }
      atLeast(registry, query);
      return jsonAnswer(presenter.one(registry.get(target)));
    }
    case "PUT":
      return updateAnswer(write, target, subresource);
    case "PATCH":
      return patchAnswer(write, target, subresource);
    case "DELETE":
      if (subresource !== undefined) throw methodNotAllowed();
      return deleteAnswer(write, target);
    default:
      throw methodNotAllowed();
  }
}
