import { expect, test } from "vitest";
import { rawFetchOf, fetchFromRaw, wrapFetch } from "./raw-fetch.ts";
import type { RawFetch, RawRequest, Middleware } from "./raw-fetch.ts";

/** Echoes the request. */
const echo: RawFetch = async ({ method, path, body, signal }) => {
  signal?.throwIfAborted();
  const said = new TextEncoder().encode(`${method} ${path} ${body ?? ""}`);
  return {
    status: 200,
    header: () => undefined,
    headers: () => new Headers(),
    bytes: async () => said,
    chunks: async function* pieces() {
      // The memory of a chunk may be reused once the next one is requested.
      const piece = new Uint8Array(1);
      for (const byte of said) {
        piece[0] = byte;
        yield piece;
      }
    },
  };
};

const requested: RawRequest = {
  method: "POST",
  path: "/a?b=c",
  headers: {},
  body: "{}",
  isStream: false,
  signal: undefined,
};

function counting(seen: string[]): Middleware {
  return async ({ method }, next) => {
    const result = await next();
    seen.push(`${method} ${result.status}`);
    return result;
  };
}

test("middleware sees requests through fetch and raw fetch, and raw fetch stays available", async () => {
  const seen: string[] = [];
  const fetch = wrapFetch(fetchFromRaw(echo), counting(seen));
  expect("raw" in fetch).toBe(true);
  const answer = await rawFetchOf(fetch)(requested);
  const response = await fetch(new Request("http://cluster.invalid/a?b=c", { method: "POST", body: "{}" }));
  expect([new TextDecoder().decode(await answer.bytes()), await response.text()]).toEqual([
    "POST /a?b=c {}",
    "POST /a?b=c {}",
  ]);
  expect(seen).toEqual(["POST 200", "POST 200"]);
});

test("a fetch without raw fetch is wrapped and used through Request and Response", async () => {
  const seen: string[] = [];
  const fetch = wrapFetch(async (request) => new Response(await request.text()), counting(seen));
  expect("raw" in fetch).toBe(false);
  const response = await rawFetchOf(fetch)(requested);
  expect([new TextDecoder().decode(await response.bytes()), seen]).toEqual(["{}", ["POST 200"]]);
});

test("middleware may abort a request with its own signal", async () => {
  const fetch = wrapFetch(fetchFromRaw(echo), (_, next) => next(AbortSignal.abort(new Error("not now"))));
  await expect(rawFetchOf(fetch)(requested)).rejects.toThrow("not now");
  await expect(fetch(new Request("http://cluster.invalid/"))).rejects.toThrow("not now");
});

test("chunks of a stream are copied when they pass through a Response", async () => {
  const response = await fetchFromRaw(echo)(new Request("http://cluster.invalid/a?watch=true"));
  expect(await response.text()).toBe("GET /a?watch=true ");
});
