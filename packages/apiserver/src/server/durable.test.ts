import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { crdOf, kind, s, silentLogger } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { openDatabase } from "../store/sqlite/database.ts";
import type { SqliteConnection } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/index.ts";
import type { SqliteStoreOptions } from "../store/index.ts";
import { createApiServer } from "./api-server.ts";

const Simple = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Simple",
  spec: s.object({ n: s.int32() }),
});
const SIMPLES = "/apis/examples.levelset.dev/v1/namespaces/default/simples";

interface OnFile extends Disposable {
  readonly store: SqliteStore;
  readonly clock: VirtualClock;
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

/** Starts a server on a database file. */
async function onFile(options: SqliteStoreOptions, seed: number): Promise<OnFile> {
  const store = await SqliteStore.open(options);
  const clock = new VirtualClock();
  const server = createApiServer({
    clock,
    random: seededRandom(seed),
    logger: silentLogger,
    store,
  });
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    return server.fetch(new Request(CLUSTER_ORIGIN + path, init));
  };
  return { store, clock, call, [Symbol.dispose]: () => server.close() };
}

/** Returns a temporary file path that is removed after the test. */
function temporaryFile(): Disposable & { readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), "levelset-server-"));
  return { path: join(directory, "data.db"), [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

test("a server restarted on its file serves the same kinds and objects, and watches continue", async () => {
  using file = temporaryFile();
  const object = (name: string): unknown => ({
    apiVersion: "examples.levelset.dev/v1",
    kind: "Simple",
    metadata: { name },
    spec: { n: 1 },
  });
  const first = await onFile(file, 1);
  await first.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crdOf(Simple));
  const created = await first.call("POST", SIMPLES, object("a"));
  expect(created.status).toBe(201);
  const text = await created.text();
  const { revision } = first.store;
  first[Symbol.dispose]();
  using second = await onFile(file, 2);
  expect(await (await second.call("GET", `${SIMPLES}/a`)).text()).toBe(text);
  const watch = await second.call("GET", `${SIMPLES}?watch=true&resourceVersion=${revision}`);
  expect((await second.call("POST", SIMPLES, object("b"))).status).toBe(201);
  const { value } = (await watch.body?.getReader().read()) ?? {};
  expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({
    type: "ADDED",
    object: { metadata: { name: "b" } },
  });
});

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

test("an ill-formed name is rejected, and the file can be opened again", async () => {
  using file = temporaryFile();
  const first = await onFile(file, 1);
  const refused = await first.call("POST", ROLES, { metadata: { name: "a\ud800b" } });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ details: { causes: [expect.objectContaining({ field: "metadata.name" })] } }),
  ]);
  expect((await first.call("POST", ROLES, { metadata: { name: "Grüße 😀" } })).status).toBe(201);
  first[Symbol.dispose]();
  using second = await onFile(file, 2);
  expect((await second.call("GET", `${ROLES}/${encodeURIComponent("Grüße 😀")}`)).status).toBe(200);
});

test("a server with a damaged row serves the rest, and neither reports the damaged object missing nor reuses its name", async () => {
  using file = temporaryFile();
  const configMaps = "/api/v1/namespaces/default/configmaps";
  const first = await onFile(file, 1);
  await first.call("POST", configMaps, { metadata: { name: "owner" }, data: { text: "the-damaged-one" } });
  const owner = JSON.parse(await (await first.call("GET", `${configMaps}/owner`)).text()) as {
    metadata: { uid: string };
  };
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid }];
  await first.call("POST", configMaps, { metadata: { name: "owned", ownerReferences } });
  await first.call("POST", "/api/v1/namespaces", {
    metadata: { name: "broken", labels: { mark: "broken-namespace" } },
  });
  first[Symbol.dispose]();
  const bytes = readFileSync(file.path);
  for (const text of ["the-damaged-one", "broken-namespace"]) bytes.write("X", bytes.indexOf(text));
  writeFileSync(file.path, bytes);
  using second = await onFile(file, 2);
  const status = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await second.call(method, path, body);
    const { reason, message } = JSON.parse(await response.text()) as { reason?: string; message?: string };
    return [response.status, reason, message?.includes("levelset apiserver check") ?? false];
  };
  const unreadable = [500, "InternalError", true];
  expect(await status("GET", `${configMaps}/owner`)).toEqual(unreadable);
  expect(await status("DELETE", `${configMaps}/owner`)).toEqual(unreadable);
  expect(await status("PUT", `${configMaps}/owner`, { metadata: { name: "owner" } })).toEqual(unreadable);
  expect(await status("POST", configMaps, { metadata: { name: "owner" } })).toEqual(unreadable);
  expect(await status("POST", `${configMaps}?dryRun=All`, { metadata: { name: "owner" } })).toEqual(unreadable);
  expect(await status("POST", "/api/v1/namespaces/broken/configmaps", { metadata: { name: "x" } })).toEqual(unreadable);
  // Its owner cannot be read, but it must not be collected.
  await second.call("POST", configMaps, { metadata: { name: "another", ownerReferences } });
  await second.clock.advance(60_000);
  const list = JSON.parse(await (await second.call("GET", configMaps)).text()) as {
    items: { metadata: { name: string } }[];
  };
  const names = list.items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
  expect(names).toEqual(["another", "owned"]);
  const ready = await second.call("GET", "/readyz?verbose");
  expect([ready.status, await ready.text()]).toEqual([
    200,
    expect.stringContaining(
      "[+]stored-rows ok: 2 damaged rows are in quarantine; run: levelset apiserver check --data FILE",
    ),
  ]);
});

test("a server starts with a damaged default namespace", async () => {
  using file = temporaryFile();
  const first = await onFile(file, 1);
  await first.call("GET", "/api/v1/namespaces");
  first[Symbol.dispose]();
  const bytes = readFileSync(file.path);
  bytes.write("X", bytes.indexOf('"kube-public"'));
  writeFileSync(file.path, bytes);
  using second = await onFile(file, 2);
  expect((await second.call("GET", "/api/v1/namespaces/default")).status).toBe(200);
  expect((await second.call("GET", "/api/v1/namespaces/kube-public")).status).toBe(500);
});

test("a server on a full disk reports it, and continues to read and delete", async () => {
  using file = temporaryFile();
  let database: SqliteConnection | undefined;
  const open = async (path: string): Promise<SqliteConnection> => (database = await openDatabase(path));
  using server = await onFile({ ...file, open }, 1);
  const configMaps = "/api/v1/namespaces/default/configmaps";
  const write = (name: string): Promise<Response> =>
    server.call("POST", configMaps, { metadata: { name }, data: { text: "x".repeat(100_000) } });
  expect((await write("a")).status).toBe(201);
  database?.run("PRAGMA max_page_count = 1");
  const refused = await write("b");
  expect([refused.status, await refused.json()]).toEqual([
    500,
    expect.objectContaining({
      kind: "Status",
      reason: "InternalError",
      message: expect.stringMatching(/^database space/u),
    }),
  ]);
  expect((await server.call("GET", `${configMaps}/a`)).status).toBe(200);
  expect((await server.call("DELETE", `${configMaps}/a`)).status).toBe(200);
  expect((await write("b")).status).toBe(201);
});
