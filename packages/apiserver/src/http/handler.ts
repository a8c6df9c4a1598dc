import type { Clock, Logger, Random } from "@levelset/core";
import { methodNotAllowed, noSuchResource, notFound } from "../registry/index.ts";
import type { Registry, Resource, Target } from "../registry/index.ts";
import { formatOf } from "./accept.ts";
import { jsonAnswer, textAnswer, withWarning } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { Documents } from "./documents.ts";
import type { ApiRequest } from "./exchange.ts";
import { checkReached, listPage } from "./list.ts";
import type { Metrics } from "./metrics.ts";
import { presenterOf } from "./presenter.ts";
import type { Presenter } from "./presenter.ts";
import { flag, revisionOf } from "./query.ts";
import type { ObjectRoute, OwnRoute, Route } from "./route.ts";
import { partAnswer, virtualAnswer } from "./subresource.ts";
import { watchAnswer } from "./watch.ts";
import { createAnswer, deleteAnswer, deleteCollectionAnswer, patchAnswer, updateAnswer } from "./write.ts";
import type { WriteRequest } from "./write.ts";

/** What the HTTP side needs. */
export interface HandlerOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Counts what is answered. */
  readonly metrics: Metrics;
  /** What is said about what is served. */
  readonly documents: Documents;
}

/** Answers a request that names objects or documents about them. Throws what the client is told in a Status. */
export async function answerRequest(
  options: HandlerOptions,
  request: ApiRequest,
  route: Exclude<Route, OwnRoute>,
  query: URLSearchParams,
): Promise<Answer> {
  if (route.kind === "object") return objectAnswer(options, request, route, query);
  if (route.kind === "unknown") return textAnswer("404 page not found\n", 404);
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed();
  return options.documents.answer(request, route, query);
}

async function objectAnswer(
  options: HandlerOptions,
  request: ApiRequest,
  route: ObjectRoute,
  query: URLSearchParams,
): Promise<Answer> {
  const { registry } = options;
  const resource = registry.catalog.find(route.group, route.version, route.plural);
  if (resource === undefined && !options.documents.hasGroup(route.group))
    return textAnswer("404 page not found\n", 404);
  if (resource === undefined) throw noSuchResource();
  if (route.namespace !== "" && resource.scope === "Cluster") throw noSuchResource();
  const found = await resourceAnswer(options, request, route, query, resource);
  return resource.deprecation === undefined ? found : withWarning(found, resource.deprecation);
}

async function resourceAnswer(
  options: HandlerOptions,
  request: ApiRequest,
  route: ObjectRoute,
  query: URLSearchParams,
  resource: Resource,
): Promise<Answer> {
  const { registry, clock } = options;
  const format = formatOf(request);
  const includeObject = query.get("includeObject") ?? "";
  const presenting = (of: Resource): Presenter => presenterOf({ format, resource: of, includeObject, clock });
  const write: WriteRequest = { registry, request, query, presenter: presenting(resource) };
  if (route.name === undefined) return collectionAnswer(options, write, route, resource);
  if (resource.scope === "Namespaced" && route.namespace === "") throw noSuchResource();
  const target: Target = { resource, namespace: route.namespace, name: route.name };
  if (route.subresource === undefined) return singleAnswer(write, target);
  const part = resource.subresources.find(({ name }) => name === route.subresource);
  if (part === undefined) throw resource.custom ? notFound(resource, route.name) : noSuchResource();
  return partAnswer({ ...write, clock, target, presenting }, part);
}

async function collectionAnswer(
  options: HandlerOptions,
  write: WriteRequest,
  route: ObjectRoute,
  resource: Resource,
): Promise<Answer> {
  const { registry, request, query, presenter } = write;
  const scope = { resource, namespace: route.namespace === "" ? undefined : route.namespace };
  const hasPlace = resource.scope === "Cluster" || route.namespace !== "";
  if (!resource.verbs.includes("list")) {
    if (!hasPlace) throw noSuchResource();
    return virtualAnswer({ ...write, clock: options.clock }, resource, route.namespace);
  }
  switch (request.method) {
    case "GET":
      if (flag(query, "watch") === true) return watchOf(options, write, scope);
      return listAnswer(registry, scope, query, presenter);
    case "POST":
      if (!hasPlace) throw methodNotAllowed();
      return createAnswer(write, resource, route.namespace);
    case "DELETE":
      if (!hasPlace || !resource.verbs.includes("deletecollection")) throw methodNotAllowed();
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
): Answer {
  const page = listPage(registry, scope, query);
  return jsonAnswer(presenter.list(page.views, page.meta));
}

function watchOf(options: HandlerOptions, write: WriteRequest, scope: Parameters<typeof watchAnswer>[1]): Answer {
  const { clock, random, registry, metrics } = options;
  const { presenter, request } = write;
  const opened = (): (() => void) => metrics.watching(scope.resource);
  return watchAnswer({ registry, clock, random, presenter, signal: request.signal, opened }, scope, write.query);
}

async function singleAnswer(write: WriteRequest, target: Target): Promise<Answer> {
  const { registry, request, query, presenter } = write;
  switch (request.method) {
    case "GET": {
      checkReached(registry, revisionOf(query) ?? 0);
      return jsonAnswer(presenter.one(registry.get(target)));
    }
    case "PUT":
      return updateAnswer(write, target, undefined);
    case "PATCH":
      return patchAnswer(write, target, undefined);
    case "DELETE":
      return deleteAnswer(write, target);
    default:
      throw methodNotAllowed();
  }
}
