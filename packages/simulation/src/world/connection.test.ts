import { createApiServer } from "@levelset/apiserver";
import { VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { ClusterFaults } from "./cluster-faults.ts";
import { Connection } from "./connection.ts";

const NAMESPACES = "http://cluster.invalid/api/v1/namespaces";
const INFORMER_STREAM = "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

async function createNamespace(fetch: Connection["fetch"], name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const headers = { "content-type": "application/json" };
  expect((await fetch(new Request(NAMESPACES, { method: "POST", body, headers }))).status).toBe(201);
}

async function listedNames(fetch: Connection["fetch"], query: string): Promise<readonly string[]> {
  const response = await fetch(new Request(NAMESPACES + query));
  const { items } = (await response.json()) as { readonly items: readonly { readonly metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}

test("an API server that is behind answers the list of an informer, and no direct list", async () => {
  const clock = new VirtualClock();
  const behind = createApiServer({ clock });
  const server = createApiServer({ clock });
  await createNamespace(server.fetch, "new");
  const stale = { fetch: behind.fetch, untilMs: clock.monotonic() + 10_000 };
  const clusterFaults = new ClusterFaults(clock);
  const { fetch } = new Connection({ server: server.fetch, clock, clusterFaults, stale, onRequest: () => {} });
  expect((await fetch(new Request(NAMESPACES + INFORMER_STREAM))).status).toBe(422);
  expect(await listedNames(fetch, "?limit=500")).not.toContain("new");
  expect(await listedNames(fetch, "")).toContain("new");
  await clock.advance(10_000);
  expect(await listedNames(fetch, "?limit=500")).toContain("new");
  behind.close();
  server.close();
});

/** Sends requests to a number of paths in turn, and returns how many are sent before the process is stopped. */
async function requestsUntilStorm(paths: number): Promise<number> {
  const clock = new VirtualClock();
  const server = async (): Promise<Response> => new Response("{}");
  const connection = new Connection({ server, clock, clusterFaults: new ClusterFaults(clock), onRequest: () => {} });
  let sent = 0;
  for (; !connection.isStorm; sent++)
    await connection.fetch(new Request(`${NAMESPACES}/n-${sent % paths}`)).catch(() => {});
  return sent;
}

test("a process may send more requests if it manages more objects, up to a limit", async () => {
  expect(await requestsUntilStorm(1)).toBe(1_561);
  expect(await requestsUntilStorm(100)).toBe(7_501);
  expect(await requestsUntilStorm(Number.POSITIVE_INFINITY)).toBe(10_001);
});

test("a request of a dead process is not served, also after its signal has aborted", async () => {
  const clock = new VirtualClock();
  const server = createApiServer({ clock });
  const sent: string[] = [];
  const connection = new Connection({
    server: server.fetch,
    clock,
    clusterFaults: new ClusterFaults(clock),
    onRequest: ({ method }) => sent.push(method),
  });
  connection.sever();
  const stop = new AbortController();
  const lost = connection.fetch(new Request(`${NAMESPACES}/default`, { method: "DELETE", signal: stop.signal }));
  stop.abort();
  await expect(lost).rejects.toHaveProperty("name", "AbortError");
  expect(sent).toEqual([]);
  server.close();
});
