import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { realClock, silentLogger } from "@levelset/core";
import { connect, loadKubeconfig } from "@levelset/operator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../apiserver/embedded-server.ts";
import type { EmbeddedServer } from "../apiserver/embedded-server.ts";
import { withServerRecord, serverRecordIn } from "./kubeconfig-claim.ts";
import { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
import { lastServer } from "./server-record.ts";
import { isServerRunning } from "../process/server-probe.ts";
import { formatYaml } from "../yaml/yaml.ts";

let cwd: string;
let running: EmbeddedServer[];
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-claim-"));
  running = [];
});
afterEach(async () => {
  for (const each of running) await each[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

async function start(kubeconfig: string = KUBECONFIG_PATH, port: number = 0): Promise<EmbeddedServer> {
  const world = { cwd, clock: realClock, logger: silentLogger, workloads: false };
  const server = await startEmbeddedServer({ command: "levelset dev", port, kubeconfig, ...world });
  running.push(server);
  return server;
}

const text = (kubeconfig: string = KUBECONFIG_PATH): Promise<string> => readFile(join(cwd, kubeconfig), "utf8");

async function isResponding(kubeconfig: string = KUBECONFIG_PATH): Promise<boolean> {
  const connection = connect(await loadKubeconfig(join(cwd, kubeconfig)));
  const { ok } = await connection.fetch(new Request(`${CLUSTER_ORIGIN}/livez`));
  await connection.close();
  return ok;
}

describe("a kubeconfig", () => {
  test("belongs to its server while that runs: a second server is refused, also on the same port", async () => {
    const first = await start();
    const before = await text();
    for (const port of [0, Number(new URL(first.url).port)]) {
      await expect(start(KUBECONFIG_PATH, port)).rejects.toMatchObject({
        message: `levelset dev is already running in this directory: process ${process.pid}, ${first.url}`,
        hint: "use it, stop it, or pass another --kubeconfig to run both",
      });
    }
    expect(await text()).toBe(before);
    expect(await isResponding()).toBe(true);
    expect(await readdir(join(cwd, ".levelset"))).toEqual(["kubeconfig", "server.json"]);
  });

  test("at another path belongs to its server too, without a server record", async () => {
    const first = await start("a");
    await expect(start("a")).rejects.toThrow(
      `levelset dev is already running with the kubeconfig ${join(cwd, "a")}: process ${process.pid}, ${first.url}`,
    );
    await start("b");
    expect([await isResponding("a"), await isResponding("b")]).toEqual([true, true]);
    await first[Symbol.asyncDispose]();
    expect(await readdir(cwd)).toEqual(["b"]);
  });

  test("that kubectl has rewritten still belongs to its server, and is removed with it", async () => {
    const first = await start("a");
    const config: unknown = JSON.parse(await text("a"));
    await writeFile(join(cwd, "a"), formatYaml([config]));
    await expect(start("a")).rejects.toThrow("levelset dev is already running with the kubeconfig");
    await first[Symbol.asyncDispose]();
    expect(await readdir(cwd)).toEqual([]);
  });

  test("with added clusters is retained when its server ends", async () => {
    const first = await start("a");
    const config: { readonly clusters: readonly unknown[] } = JSON.parse(await text("a"));
    const merged = JSON.stringify({ ...config, clusters: [...config.clusters, { name: "another" }] });
    await writeFile(join(cwd, "a"), merged);
    await first[Symbol.asyncDispose]();
    expect(await text("a")).toBe(merged);
    await expect(start("a")).rejects.toThrow("is not the kubeconfig of a levelset server");
  });

  test("replaces an empty file", async () => {
    await writeFile(join(cwd, "empty"), "");
    const server = await start("empty");
    expect(await text("empty")).toContain(server.url);
  });

  test("belongs to exactly one of several servers that start concurrently", async () => {
    const started = await Promise.allSettled(Array.from({ length: 6 }, () => start()));
    expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await text()).toContain(running[0]?.url);
    expect(await isResponding()).toBe(true);
    expect(await readdir(join(cwd, ".levelset"))).toEqual(["kubeconfig", "server.json"]);
  });

  test("of a killed server is replaced by exactly one of several servers", async () => {
    const first = await start();
    const stale = await text();
    await first[Symbol.asyncDispose]();
    await writeFile(join(cwd, KUBECONFIG_PATH), stale);
    const started = await Promise.allSettled(Array.from({ length: 6 }, () => start()));
    expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await isResponding()).toBe(true);
    expect((await stat(join(cwd, KUBECONFIG_PATH))).mode & 0o777).toBe(0o600);
  });

  test("whose port belongs to another program now is replaced", async () => {
    const other = createServer((socket) => socket.end("not TLS\n")).listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const first = await start();
    const port = typeof address === "object" ? address?.port : 0;
    const stale = (await text()).replace(new URL(first.url).host, `127.0.0.1:${port}`);
    await first[Symbol.asyncDispose]();
    await writeFile(join(cwd, KUBECONFIG_PATH), stale);
    await start();
    expect(await isResponding()).toBe(true);
    other.close();
  });

  test.each(["apiVersion: v1\nkind: Config\n", "not a kubeconfig: [", "{}"])(
    "that no server wrote, %j, is not replaced, unless it is where servers write theirs",
    async (mine) => {
      await writeFile(join(cwd, "mine"), mine);
      await expect(start("mine")).rejects.toMatchObject({
        message: `${join(cwd, "mine")} exists and is not the kubeconfig of a levelset server`,
        hint: "pass another --kubeconfig, or remove the file",
      });
      expect(await text("mine")).toBe(mine);
      await mkdir(join(cwd, ".levelset"));
      await writeFile(join(cwd, KUBECONFIG_PATH), mine);
      await start();
      expect(await isResponding()).toBe(true);
    },
  );
});

test("the server record exists while it runs, and afterwards with the end time", async () => {
  const path = join(cwd, KUBECONFIG_PATH);
  expect(lastServer(path)).toBeUndefined();
  const server = await start();
  expect(lastServer(path)).toEqual({ command: "levelset dev", pid: process.pid, started: expect.any(String) });
  await server[Symbol.asyncDispose]();
  expect(lastServer(path)).toMatchObject({ command: "levelset dev", ended: expect.stringMatching(/^\d{4}-.*\dZ$/u) });
  await expect(text()).rejects.toThrow("ENOENT");
});

test("a server is running if it responds, or if it times out and its process exists", () => {
  const cases = (["responds", "timeout", "refused"] as const).flatMap((probe) =>
    [true, false].map((isAlive) => [probe, isAlive, isServerRunning(probe, isAlive)]),
  );
  expect(cases).toEqual([
    ["responds", true, true],
    ["responds", false, true],
    ["timeout", true, true],
    ["timeout", false, false],
    ["refused", true, false],
    ["refused", false, false],
  ]);
});

test("the server record is read from JSON and YAML, and from no other text", async () => {
  const record = { command: "levelset dev", pid: 7, started: "2026-01-01T00:00:00Z" };
  const withRecord = withServerRecord('{"clusters":[{"name":"levelset"}]}', record);
  expect(await serverRecordIn(withRecord)).toEqual(record);
  expect(await serverRecordIn(formatYaml([JSON.parse(withRecord)]))).toEqual(record);
  const merged = withServerRecord('{"clusters":[{"name":"levelset"},{"name":"another"}]}', record);
  for (const other of [merged, "", "{", "{}", "[]", '{"extensions":[{"name":"x"}]}', "a: b"]) {
    expect(await serverRecordIn(other)).toBeUndefined();
  }
});
