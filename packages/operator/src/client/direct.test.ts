import { expect, test } from "vitest";
import { directOf, fetchOf, wrapFetch } from "./direct.ts";
import type { Direct, DirectRequest, Pass } from "./direct.ts";

/** Answers with the words that it is asked with. */
const echo: Direct = async ({ method, path, body, signal }) => {
  signal?.throwIfAborted();
  const said = new TextEncoder().encode(`${method} ${path} ${body ?? ""}`);
  return {
    status: 200,
    header: () => undefined,
    headers: () => new Headers(),
    bytes: async () => said,
    chunks: async function* pieces() {
      // The memory of a piece may be used again once the next is asked for.
      const piece = new Uint8Array(1);
      for (const byte of said) {
        piece[0] = byte;
        yield piece;
      }
    },
  };
};

const asked: DirectRequest = {
  method: "POST",
  path: "/a?b=c",
  headers: {},
  body: "{}",
  isStream: false,
  signal: undefined,
};

function counting(seen: string[]): Pass {
  return async ({ method }, goOn) => {
    const answer = await goOn();
    seen.push(`${method} ${answer.status}`);
    return answer;
  };
}

test("who stands in between sees requests of both ways, and the direct one stays direct", async () => {
  const seen: string[] = [];
  const fetch = wrapFetch(fetchOf(echo), counting(seen));
  expect("direct" in fetch).toBe(true);
  const answer = await directOf(fetch)(asked);
  const response = await fetch(new Request("http://cluster.invalid/a?b=c", { method: "POST", body: "{}" }));
  expect([new TextDecoder().decode(await answer.bytes()), await response.text()]).toEqual([
    "POST /a?b=c {}",
    "POST /a?b=c {}",
  ]);
  expect(seen).toEqual(["POST 200", "POST 200"]);
});

test("a fetch without a direct way is wrapped as it is, and reached through it", async () => {
  const seen: string[] = [];
  const fetch = wrapFetch(async (request) => new Response(await request.text()), counting(seen));
  expect("direct" in fetch).toBe(false);
  const answer = await directOf(fetch)(asked);
  expect([new TextDecoder().decode(await answer.bytes()), seen]).toEqual(["{}", ["POST 200"]]);
});

test("who stands in between may end a request by a signal of its own", async () => {
  const fetch = wrapFetch(fetchOf(echo), (_, goOn) => goOn(AbortSignal.abort(new Error("not now"))));
  await expect(directOf(fetch)(asked)).rejects.toThrow("not now");
  await expect(fetch(new Request("http://cluster.invalid/"))).rejects.toThrow("not now");
});

test("the pieces of a stream are the reader's own once they passed through a Response", async () => {
  const response = await fetchOf(echo)(new Request("http://cluster.invalid/a?watch=true"));
  expect(await response.text()).toBe("GET /a?watch=true ");
});
