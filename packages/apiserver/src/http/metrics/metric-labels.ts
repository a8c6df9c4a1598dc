import type { Registry } from "../../registry/index.ts";
import type { ApiRequest } from "../request/api-request.ts";
import { METHODS } from "./metrics.ts";
import type { RequestLabels, RequestScope, RequestVerb } from "./metrics.ts";
import { booleanParam } from "../request/query-params.ts";
import type { ResourceRoute, ApiRoute } from "../request/api-route.ts";

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request is a write. */
export function isMutating(request: ApiRequest): boolean {
  return !READING.has(request.method);
}

/** Maps requests to metric labels. The number of label sets is bounded by the served resources times verbs. */
export class MetricLabels {
  readonly #registry: Registry;
  readonly #known = new Map<string, RequestLabels>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Returns the labels of a request. Non-resource requests are counted by verb only. */
  of(request: ApiRequest, route: ApiRoute, query: URLSearchParams): RequestLabels {
    const resource =
      route.kind === "object" ? this.#registry.catalog.find(route.group, route.version, route.plural) : undefined;
    if (route.kind !== "object" || resource === undefined) {
      return this.#keep({ verb: methodOf(request), group: "", version: "", resource: "", subresource: "", scope: "" });
    }
    const { group, version, plural } = resource;
    const isKnownPart = resource.subresources.some(({ name }) => name === route.subresource);
    const subresource = isKnownPart ? (route.subresource ?? "") : "";
    return this.#keep({
      verb: verbOf(request, route, query),
      group,
      version,
      resource: plural,
      subresource,
      scope: scopeOf(route),
    });
  }

  #keep(labels: RequestLabels): RequestLabels {
    const key = Object.values(labels).join(" ");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, labels);
    return labels;
  }
}

function scopeOf(route: ResourceRoute): RequestScope {
  if (route.name !== undefined) return "resource";
  return route.namespace === "" ? "cluster" : "namespace";
}

function methodOf(request: ApiRequest): RequestVerb {
  return METHODS.find((method) => method === request.method) ?? "OTHER";
}

function verbOf(request: ApiRequest, route: ResourceRoute, query: URLSearchParams): RequestVerb {
  switch (request.method) {
    case "GET":
      if (booleanParam(query, "watch") === true) return "WATCH";
      return route.name === undefined ? "LIST" : "GET";
    case "DELETE":
      return route.name === undefined ? "DELETECOLLECTION" : "DELETE";
    case "PATCH":
      return request.headers.get("content-type")?.startsWith("application/apply-patch") === true ? "APPLY" : "PATCH";
    default:
      return methodOf(request);
  }
}
