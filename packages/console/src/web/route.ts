import type { ObjectRef } from "@levelset/operator";
import { formatRef, isStoryName, parseRef } from "../api/index.ts";

/** A route of the application. `query` is the search text. */
export type Route =
  | { readonly view: "overview" }
  | { readonly view: "objects"; readonly query: string }
  | { readonly view: "object"; readonly ref: ObjectRef }
  | { readonly view: "set"; readonly name: string }
  | { readonly view: "fleet"; readonly query: string; readonly plural: string }
  | { readonly view: "cluster"; readonly plural: string; readonly id: string }
  | { readonly view: "runtime" }
  | { readonly view: "simulations" }
  | { readonly view: "simulation"; readonly name: string }
  | { readonly view: "unknown" };

/** Parses a URL. */
export function parseRoute(path: string): Route {
  const { pathname, searchParams } = new URL(path, "http://console");
  const [first = "", ...rest] = pathname.replace(/^\//u, "").split("/");
  const query = searchParams.get("q") ?? "";
  switch (first) {
    case "":
      return { view: "overview" };
    case "objects": {
      if (rest.length === 0) return { view: "objects", query };
      const ref = parseRef(rest.join("/"));
      return ref === undefined ? { view: "unknown" } : { view: "object", ref };
    }
    case "sets":
      return rest.length === 1 ? { view: "set", name: decoded(rest[0]) } : { view: "unknown" };
    case "fleet": {
      if (rest.length === 0) return { view: "fleet", query, plural: searchParams.get("kind") ?? "" };
      const [plural, id, more] = rest;
      if (more !== undefined || plural === undefined || id === undefined) return { view: "unknown" };
      return { view: "cluster", plural: decoded(plural), id: decoded(id) };
    }
    case "runtime":
      return { view: "runtime" };
    case "simulations": {
      const [name, more] = rest;
      if (name === undefined) return { view: "simulations" };
      return more === undefined && isStoryName(name) ? { view: "simulation", name } : { view: "unknown" };
    }
    default:
      return { view: "unknown" };
  }
}

/** Returns the URL path of a route. */
export function formatRoute(route: Route): string {
  switch (route.view) {
    case "overview":
    case "unknown":
      return "/";
    case "objects":
      return `/objects${queryText({ q: route.query })}`;
    case "object":
      return `/objects/${formatRef(route.ref)}`;
    case "set":
      return `/sets/${encodeURIComponent(route.name)}`;
    case "fleet":
      return `/fleet${queryText({ kind: route.plural, q: route.query })}`;
    case "cluster":
      return `/fleet/${encodeURIComponent(route.plural)}/${encodeURIComponent(route.id)}`;
    case "runtime":
      return "/runtime";
    case "simulations":
      return "/simulations";
    case "simulation":
      return `/simulations/${encodeURIComponent(route.name)}`;
  }
}

/** Returns the topic of a page; undefined if the page shows only lists. */
export function topicOf(route: Route): string | undefined {
  switch (route.view) {
    case "object":
      return `object:${formatRef(route.ref)}`;
    case "set":
      return `set:${encodeURIComponent(route.name)}`;
    case "cluster":
      return `cluster:${encodeURIComponent(route.plural)}/${encodeURIComponent(route.id)}`;
    case "runtime":
      return "runtime";
    case "simulations":
      return "simulations";
    case "simulation":
      return `simulation:${route.name}`;
    case "overview":
    case "objects":
    case "fleet":
    case "unknown":
      return undefined;
  }
}

function queryText(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

function decoded(part = ""): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // invalid escape sequence
  }
}
