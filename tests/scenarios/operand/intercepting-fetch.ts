import { isJsonObject, StatusError } from "@levelset/core";
import { parseJson } from "@levelset/core/internal";
import type { JsonValue, StatusReason, Runnable } from "@levelset/core";
import { interceptFetch } from "../../support/intercept-fetch.ts";

/** An intercepted request with its body. */
export interface InterceptedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: JsonValue;
}

/** Why a request is denied. */
export interface AdmissionDenial {
  readonly reason: StatusReason;
  readonly message: string;
}

/** Proxy between a process and the server: records every write, and denies writes as an admission webhook would. */
export class InterceptingFetch {
  readonly writes: InterceptedRequest[] = [];
  /** Decides on each write; undefined allows it. Can be changed at run time. */
  deny: (reported: InterceptedRequest) => AdmissionDenial | undefined = () => undefined;

  /** Reports whether the object at a path is hidden from the process. */
  hides: (path: string) => boolean = () => false;

  /** Called before a request is sent, reads included, to simulate a concurrent change. */
  before: (request: Pick<InterceptedRequest, "method" | "path">) => Promise<void> = () => Promise.resolve();

  /** Runs a process behind this proxy. */
  wrap(runnable: Runnable): Runnable {
    return interceptFetch(runnable, async (request, send) => {
      const { pathname, search } = new URL(request.url);
      await this.before({ method: request.method, path: pathname });
      if (request.method === "GET") {
        return this.hides(pathname) ? response({ reason: "NotFound", message: "not yet" }) : send(request);
      }
      const text = await request.clone().text();
      const body = text === "" ? null : parseJson(text);
      const reported = { method: request.method, path: pathname, query: search, body };
      const refusal = this.deny(reported);
      if (refusal !== undefined) return response(refusal);
      if (!search.includes("dryRun=All")) this.writes.push(reported);
      return send(request);
    });
  }

  /** Returns the writes to one object or collection. */
  writesTo(end: string): readonly InterceptedRequest[] {
    return this.writes.filter(({ path }) => path.endsWith(end));
  }
}

function response({ reason, message }: AdmissionDenial): Response {
  const error = new StatusError(reason, message);
  return Response.json(error.toStatus(), { status: error.code });
}

/** Returns a nested member of a JSON object. */
export function member(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((found, name) => (isJsonObject(found) ? found[name] : undefined), value);
}
