import type { Registry } from "../registry/index.ts";
import type { ApiRequest } from "./exchange.ts";
import type { RequestLabels } from "./metrics.ts";
import { flag } from "./query.ts";
import type { ObjectRoute, Route } from "./route.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request means to change something. */
export function isMutating(request: ApiRequest): boolean {
  return !READING.has(request.method);
}

/** Finds the labels that requests are counted under. There are never more of them than kinds are declared times what can be done with one. */
export class LabelBook {
  readonly #registry: Registry;
  readonly #known = new Map<string, RequestLabels>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** The labels of a request. What names no resource is counted by its verb alone. */
  of(request: ApiRequest, route: Route, query: URLSearchParams): RequestLabels {
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

function scopeOf(route: ObjectRoute): string {
  if (route.name !== undefined) return "resource";
  return route.namespace === "" ? "cluster" : "namespace";
}

/** As the real server names them. */
function verbOf(request: ApiRequest, route: ObjectRoute, query: URLSearchParams): string {
  switch (request.method) {
    case "GET":
      if (flag(query, "watch") === true) return "WATCH";
      return route.name === undefined ? "LIST" : "GET";
    case "DELETE":
      return route.name === undefined ? "DELETECOLLECTION" : "DELETE";
    case "PATCH":
      return request.headers.get("content-type")?.startsWith("application/apply-patch") === true ? "APPLY" : "PATCH";
    default:
      return METHODS.has(request.method) ? request.method : "OTHER";
  }
}
