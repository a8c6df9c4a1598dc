import { isJsonObject } from "@levelset/core";
import { parseJson } from "@levelset/core/internal";
import type { Fetch, JsonValue } from "@levelset/core";

/** A recorded write request: the path of the object, with `/status` for status writes. */
export interface RecordedWrite {
  readonly method: string;
  readonly path: string;
}

/** Wraps fetch and reports the object of every write. For a create it is the object named in the body. */
export function recordWrites(fetch: Fetch, onWrite: (write: RecordedWrite) => void): Fetch {
  return async (request) => {
    const { method } = request;
    if (method !== "GET" && method !== "HEAD") {
      const { pathname } = new URL(request.url);
      const name = method === "POST" ? nameIn(await request.clone().text()) : undefined;
      onWrite({ method, path: name === undefined ? pathname : `${pathname}/${name}` });
    }
    return fetch(request);
  };
}

function nameIn(body: string): string | undefined {
  const metadata = memberOf(parseJson(body), "metadata");
  const name = memberOf(metadata, "name");
  return typeof name === "string" ? name : undefined;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}
