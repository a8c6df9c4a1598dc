import { createHash, timingSafeEqual } from "node:crypto";
import { StatusError, stringifyJson } from "@levelset/core";
import type { Fetch } from "@levelset/core";

const PUBLIC = ["/healthz", "/livez", "/readyz", "/version"];

/** Lets through who knows the token; everybody else only sees whether the server lives and what it is. */
export function withToken(fetch: Fetch, token: string): Fetch {
  const expected = digest(token);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (PUBLIC.includes(pathname) || isValid(request.headers.get("authorization"), expected)) return fetch(request);
    await request.body?.cancel();
    const error = new StatusError("Unauthorized", "Unauthorized");
    return new Response(stringifyJson(error.toStatus()), {
      status: error.code,
      headers: { "content-type": "application/json", "www-authenticate": "Bearer" },
    });
  };
}

function isValid(header: string | null, expected: Uint8Array): boolean {
  const given = /^Bearer (?<token>\S+)$/iu.exec(header ?? "")?.groups?.["token"];
  return given !== undefined && timingSafeEqual(digest(given), expected);
}

/** Equal lengths, so that the comparison takes the same time whatever was given. */
function digest(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
