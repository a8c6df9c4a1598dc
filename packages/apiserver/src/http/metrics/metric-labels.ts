import type { Registry } from "../../registry/index.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { RequestLabels } from "./metrics.ts";
import { booleanParam } from "../request/query-params.ts";
import type { ResourceRoute, ApiRoute } from "../request/api-route.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
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
      const verb = METHODS.has(request.method) ? request.method : "OTHER";
      return this.#keep({ verb, group: "", version: "", resource: "", subresource: "", scope: "" });
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

function scopeOf(route: ResourceRoute): string {
  if (route.name !== undefined) return "resource";
  return route.namespace === "" ? "cluster" : "namespace";
}

/** Verb names follow `k8s.io/apiserver/pkg/endpoints/metrics/metrics.go` (Kubernetes 1.36). */
function verbOf(request: ApiRequest, route: ResourceRoute, query: URLSearchParams): string {
  switch (request.method) {
    case "GET":
      if (booleanParam(query, "watch") === true) return "WATCH";
      return route.name === undefined ? "LIST" : "GET";
    case "DELETE":
      return route.name === undefined ? "DELETECOLLECTION" : "DELETE";
    case "PATCH":
      return request.headers.get("content-type")?.startsWith("application/apply-patch") === true ? "APPLY" : "PATCH";
    default:
      return METHODS.has(request.method) ? request.method : "OTHER";
  }
}
