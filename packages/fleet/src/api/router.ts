import { textProblemOf } from "./query-params.ts";
import { HttpProblem } from "./http-problem.ts";
import type { Method, Route } from "./route.ts";

/** A matched route with its path parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** One path segment. */
interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly routes: Map<Method, NamedRoute>;
}

/** A route with the names and positions of its path parameters. */
interface NamedRoute {
  readonly route: Route;
  readonly names: readonly (readonly [name: string, index: number])[];
}

/** Matches routes by method and path. */
export class Router {
  readonly #root: Node = newNode();

  /** Throws a `TypeError` if two routes have the same method and path. */
  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  #add(route: Route): void {
    const segments = segmentsOf(route.path);
    let node = this.#root;
    for (const segment of segments) node = childOf(node, segment);
    if (node.routes.has(route.method)) throw new TypeError(`two routes for ${route.method} ${route.path}`);
    node.routes.set(route.method, { route, names: namesOf(segments) });
  }

  /**
   * Returns the route of a request. Trailing slashes are ignored. Throws an `HttpProblem`: NTF-000, or VAL-008 with the
   * allowed methods.
   */
  find(method: string, path: string): RouteMatch {
    const segments = segmentsOf(path).map(decoded);
    const node = this.#walk(segments);
    if (node === undefined || node.routes.size === 0) {
      throw new HttpProblem("NTF-000", `The requested endpoint '${path}' does not exist`);
    }
    const routeMethod = method === "HEAD" ? "GET" : method;
    const found = [...node.routes.values()].find(({ route }) => route.method === routeMethod);
    if (found === undefined) {
      const allow = allowed(node);
      throw new HttpProblem("VAL-008", `${method} is not allowed here; allowed: ${allow}`, { headers: { allow } });
    }
    const params = Object.fromEntries(found.names.map(([name, index]) => [name, segments[index] ?? ""]));
    return { route: found.route, params };
  }

  #walk(segments: readonly string[]): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const segment of segments) {
      const parameter: Node | undefined = segment === "" ? undefined : node.parameter;
      node = node.literals.get(segment) ?? parameter;
      if (node === undefined) return undefined;
    }
    return node;
  }
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, routes: new Map() };
}

function childOf(node: Node, segment: string): Node {
  if (nameIn(segment) !== undefined) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const known = node.literals.get(segment) ?? newNode();
  node.literals.set(segment, known);
  return known;
}

/** Returns the parameter name of a segment; undefined for a literal segment. */
function nameIn(segment: string): string | undefined {
  return /^\{(.+)\}$/.exec(segment)?.[1];
}

function segmentsOf(path: string): readonly string[] {
  const segments = path.split("/").slice(1);
  return segments.slice(0, segments.findLastIndex((segment) => segment !== "") + 1);
}

function decoded(segment: string): string {
  const message = textProblemOf(segment);
  if (message === undefined) return decodeURIComponent(segment);
  throw new HttpProblem("VAL-005", `path: ${message}`, { errors: [{ field: "path", message }] });
}

function allowed({ routes }: Node): string {
  const methods = [...routes.keys()];
  return (methods.includes("GET") ? [...methods, "HEAD"] : methods).toSorted().join(", ");
}

function namesOf(segments: readonly string[]): NamedRoute["names"] {
  return segments.flatMap((segment, index) => {
    const name = nameIn(segment);
    return name === undefined ? [] : [[name, index] as const];
  });
}
