import { StatusError } from "@levelset/core";
import type { Fetch, Runnable } from "@levelset/core";
import { requestAttributes } from "../manager/authorizer.ts";
import type { RequestAttributes } from "../manager/authorizer.ts";
import { OPERAND_GROUP } from "./spec/operand-kinds.ts";

/** A request about an object of a set, and the user that it is sent as. */
export interface SetRequest extends RequestAttributes {
  /** Undefined: the operator itself. */
  readonly user: string | undefined;
}

/** Requests that the operator sends for itself: its own kinds, the shared watches, events and CRDs. */
function isOwn({ group, resource, verb, name }: RequestAttributes): boolean {
  const isWatched = verb === "watch" || (verb === "list" && name === undefined);
  return isWatched || group === OPERAND_GROUP || resource === "events" || resource === "customresourcedefinitions";
}

/** Proxy between a process and the server: records requests about objects of sets, and authorizes impersonated users. */
export class AccountGuard {
  /** Requests about objects of sets so far. */
  readonly requests: SetRequest[] = [];
  /** Reports whether a user may send a request. */
  allows: (request: SetRequest) => boolean = () => true;

  /** Runs a process behind this proxy. */
  wrap(runnable: Runnable): Runnable {
    return { ...runnable, start: (world) => runnable.start({ ...world, fetch: this.guarded(world.fetch) }) };
  }

  /** Returns a fetch behind this proxy. */
  guarded(server: Fetch): Fetch {
    return async (request) => {
      const { pathname, search } = new URL(request.url);
      if (!/^\/(?:api|apis\/[^/]+)\/[^/]+\/./u.test(pathname)) return server(request);
      const attributes = requestAttributes({ method: request.method, path: pathname, query: search });
      if (isOwn(attributes)) return server(request);
      const user = request.headers.get("impersonate-user") ?? undefined;
      this.requests.push({ ...attributes, user });
      return user === undefined || this.allows({ ...attributes, user }) ? server(request) : refusal(user, attributes);
    };
  }

  /** The users of the recorded requests. */
  get users(): ReadonlySet<string | undefined> {
    return new Set(this.requests.map(({ user }) => user));
  }
}

/** The response of kube-apiserver with RBAC. */
function refusal(user: string, { verb, group, resource, name = "", namespace = "" }: RequestAttributes): Response {
  const what = `cannot ${verb} resource "${resource}" in API group "${group}" in the namespace "${namespace}"`;
  const error = new StatusError("Forbidden", `${resource} "${name}" is forbidden: User "${user}" ${what}`);
  return Response.json(error.toStatus(), { status: error.code });
}
