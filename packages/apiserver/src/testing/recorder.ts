import { isJsonObject, parseJson } from "@levelset/core";
import type { Fetch, JsonValue } from "@levelset/core";

/** A write request that passed by: the path of the object it was about, with `/status` where it was that. */
export interface SeenWrite {
  readonly method: string;
  readonly path: string;
}

/** A fetch that notes which object every write is about; a create is about the object named in its body. */
export function recordWrites(fetch: Fetch, onWrite: (write: SeenWrite) => void): Fetch {
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
