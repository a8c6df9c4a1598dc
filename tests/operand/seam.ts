import { isJsonObject, parseJson, StatusError } from "@levelset/core";
import type { JsonValue, Reason, Runnable } from "@levelset/core";

/** A request that passed by, with what it said. */
export interface Told {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: JsonValue;
}

/** Why a request is refused. */
export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
}

/**
 * Between a process and the server: it records every write, and refuses those that an admission webhook would refuse if there were
 * one.
 */
export class Seam {
  readonly writes: Told[] = [];
  /** Decides about each write; undefined lets it pass. Can be changed while things run. */
  refuse: (told: Told) => Refusal | undefined = () => undefined;

  /** Whether the process does not see yet what is at a path. */
  hides: (path: string) => boolean = () => false;

  /** Done before a request is sent, reads included: what somebody else does at that very moment. */
  before: (request: Pick<Told, "method" | "path">) => Promise<void> = () => Promise.resolve();

  /** The same process, behind this seam. */
  around(runnable: Runnable): Runnable {
    return {
      ...runnable,
      start: (world) =>
        runnable.start({
          ...world,
          fetch: async (request) => {
            const { pathname, search } = new URL(request.url);
            await this.before({ method: request.method, path: pathname });
            if (request.method === "GET") {
              return this.hides(pathname) ? answer({ reason: "NotFound", message: "not yet" }) : world.fetch(request);
            }
            const text = await request.clone().text();
            const body = text === "" ? null : parseJson(text);
            const told = { method: request.method, path: pathname, query: search, body };
            const refusal = this.refuse(told);
            if (refusal !== undefined) return answer(refusal);
            if (!search.includes("dryRun=All")) this.writes.push(told);
            return world.fetch(request);
          },
        }),
    };
  }

  /** The writes about one object, or about a collection. */
  about(end: string): readonly Told[] {
    return this.writes.filter(({ path }) => path.endsWith(end));
  }
}

function answer({ reason, message }: Refusal): Response {
  const error = new StatusError(reason, message);
  return Response.json(error.toStatus(), { status: error.code });
}

/** A member of an object that came as JSON, however deep. */
export function member(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((found, name) => (isJsonObject(found) ? found[name] : undefined), value);
}
