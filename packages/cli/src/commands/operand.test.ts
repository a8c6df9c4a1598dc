import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap, realClock, realRandom, Secret, silentLogger } from "@levelset/core";
import { Client, connect, installKind, loadKubeconfig, Operand, operandManager } from "@levelset/operator";
import type { Connection } from "@levelset/operator";
import { load } from "js-yaml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer } from "../embedded.ts";
import type { RunningServer } from "../embedded.ts";
import { KUBECONFIG_PATH } from "../kubeconfig-file.ts";
import { runShell } from "../shell.fixture.ts";
import type { CommandOptions, Said } from "../shell.fixture.ts";

const PASSWORD = "correct-horse-battery";
const ENCODED = Buffer.from(PASSWORD).toString("base64");

const MANIFESTS = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: flags, namespace: default}, data: {a: "1"}}
---
{apiVersion: v1, kind: Secret, metadata: {name: db, namespace: default}, stringData: {password: ${PASSWORD}}}
`;
const CHANGED = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: default}}
---
{apiVersion: v1, kind: Secret, metadata: {name: db, namespace: default}, stringData: {password: ${PASSWORD}-2}}
`;

let cwd: string;
let server: RunningServer;
let connection: Connection;
let client: Client;
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-operand-"));
  const world = { cwd, clock: realClock, logger: silentLogger };
  server = await startServer({ command: "levelset dev", port: 0, kubeconfig: KUBECONFIG_PATH, ...world });
  connection = connect(await loadKubeconfig(join(cwd, KUBECONFIG_PATH)));
  client = new Client({ fetch: connection.fetch, fieldManager: "test" });
  stop = new AbortController();
  running = Promise.resolve();
  await writeFile(join(cwd, "one.yaml"), MANIFESTS);
  await writeFile(join(cwd, "two.yaml"), CHANGED);
});
afterEach(async () => {
  stop.abort();
  await running;
  await connection.close();
  await server[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

/** Starts what keeps Operands. */
async function keep(): Promise<void> {
  const manager = operandManager();
  const world = {
    fetch: connection.fetch,
    clock: realClock,
    random: realRandom,
    logger: silentLogger,
    signal: stop.signal,
  };
  for (const kind of manager.kinds ?? []) await installKind(client, kind, world);
  running = manager.start(world);
}

async function operand(...words: readonly string[]): Promise<Said> {
  return piped({ cwd }, ...words);
}

/** Whatever is said, no secret is ever among it. */
async function piped(options: CommandOptions, ...words: readonly string[]): Promise<Said> {
  const said = await runShell(options, "operand", ...words);
  expect(said.stdout + said.stderr).not.toContain(PASSWORD);
  expect(said.stdout + said.stderr).not.toContain(ENCODED);
  return said;
}

async function ready(name: string): Promise<void> {
  expect((await operand("status", name, "--watch")).code).toBe(0);
}

const REFUSED: readonly (readonly [readonly string[], string])[] = [
  [["create", "a"], "no objects are given"],
  [["create", "a", "-f", "-", "--post-install", "-"], "only one list of objects can be piped in"],
  [["create", "a", "-f", "nowhere"], "cannot read nowhere"],
  [["create", "a", "-f", "bare.yaml"], "steadyState[0]: configmap/bare needs a metadata.namespace"],
  [["create", "a", "-f", "one.yaml", "-f", "one.yaml"], "stands at steadyState[0] already (and 1 more)"],
  [["create", "a", "-f", "one.yaml", "--spec", "spec.yaml"], "health[0]"],
  [["create", "a", "-f", "one.yaml", "--spec", "unknown.yaml"], "an Operand has no field spec.helth"],
  [["create", "a", "-f", "one.yaml", "--prune", "never"], "Allowed choices are immediate"],
  [["create", "a", "-f", "one.yaml", "--prune-after", "soon"], "a duration is written like"],
  [["create", "A_b", "-f", "one.yaml"], "A_b"],
  [["create", "a", "-f", "one.yaml", "--wait", "--dry-run"], "--wait has no meaning with --dry-run"],
  [["create", "a", "-f", "one.yaml", "--timeout", "5m"], "--timeout has no meaning without --wait"],
  [["resume", "a", "--timeout", "5m"], "--timeout has no meaning without --wait"],
  [["rollback", "a", "--timeout", "5m"], "--timeout has no meaning without --wait"],
  [["plan", "a"], 'there is no Operand "a"'],
  [["plan", "a", "-f", "one.yaml", "--to", "1"], "only one of them can be planned"],
  [["plan", "a", "--prune", "confirm"], "flags about a set without one"],
  [["plan", "a", "--to", "x"], "a generation is a whole number"],
  [["rollback", "a"], 'there is no Operand "a"'],
  [["delete", "a", "--cascade", "all"], "Allowed choices are background"],
];

describe("levelset operand", () => {
  test("installs a set, plans a change, makes it, goes back, and removes all of it; secrets are never told", async () => {
    await keep();
    const first = await operand("plan", "shop", "-f", "one.yaml", "--exit-code");
    expect([first.code, first.stdout]).toEqual([
      3,
      expect.stringMatching(/\+ Secret +default\/db\n[^]*\n2 to create\n$/u),
    ]);
    expect((await operand("create", "shop", "-f", "one.yaml")).stdout).toMatch(/^operand\/shop created\n/u);
    await ready("shop");
    const idle = await operand("plan", "shop", "--exit-code");
    expect([idle.code, idle.stdout]).toEqual([0, "nothing to do: 2 as they should be\n"]);
    expect((await operand("create", "shop", "-f", "one.yaml")).stdout).toBe("operand/shop unchanged\n");

    const change = await operand("plan", "shop", "-f", "two.yaml");
    expect(change.code).toBe(0);
    expect(change.stdout).toContain("  ~ Secret     default/db     password changed\n");
    expect(change.stdout).toContain("  - ConfigMap  default/flags  pruned after the new version is ready\n");
    expect(change.stdout).toContain("-  password: '*** (before)'\n+  password: '*** (after)'\n");
    expect((await piped({ cwd, stdin: CHANGED }, "create", "shop", "-f", "-")).stdout).toMatch(
      /^operand\/shop configured\n/u,
    );
    await ready("shop");
    await expect(client.get(ConfigMap, { namespace: "default", name: "flags" })).rejects.toThrow("not found");

    const { stdout } = await operand("history", "shop");
    expect(stdout).toMatch(/^GENERATION.*\n1 +\d+ s ago +2 +sha256-\w+\n2 +\d+ s ago +2 +sha256-\w+ +installed\n$/u);
    expect((await operand("plan", "shop", "--to", "1", "--summary")).stdout).toContain("+ ConfigMap  default/flags\n");
    expect((await operand("rollback", "shop")).stdout).toMatch(
      /^operand\/shop asks for generation 1 again, as generation 3\n/u,
    );
    await ready("shop");
    const secret = await client.get(Secret, { namespace: "default", name: "db" });
    expect(secret.data?.["password"]).toBe(ENCODED);

    expect(await operand("delete", "shop")).toMatchObject({ code: 0, stdout: "operand/shop deleted\n" });
    await expect(client.get(Secret, { namespace: "default", name: "db" })).rejects.toThrow("not found");
    await expect(operand("status", "shop")).rejects.toThrow('there is no Operand "shop"');
  });

  test("waits until the Operand is ready for its own write, and ends with 3 when nothing works on it", async () => {
    const world = { fetch: connection.fetch, clock: realClock, random: realRandom, logger: silentLogger };
    for (const kind of operandManager().kinds ?? []) await installKind(client, kind, { ...world, signal: stop.signal });
    const idle = await operand("create", "shop", "-f", "one.yaml", "--wait", "--timeout", "300ms");
    expect(idle.code).toBe(3);
    expect(idle.stdout).toMatch(
      /^operand\/shop created\noperand\/shop is not ready.*\nTry: levelset operand status shop\n$/u,
    );
    await keep();
    const created = await operand("create", "shop", "-f", "two.yaml", "--wait");
    expect([created.code, created.stdout]).toEqual([
      0,
      "operand/shop configured\noperand/shop is ready, generation 2\n",
    ]);
    expect((await client.get(Operand, { name: "shop" })).status?.observedGeneration).toBe(2);
    const same = await operand("create", "shop", "-f", "two.yaml", "--wait");
    expect(same.stdout).toBe("operand/shop unchanged\noperand/shop is ready, generation 2\n");
    const printed = await operand("create", "shop", "-f", "one.yaml", "--wait", "-o", "yaml");
    expect(load(printed.stdout)).toMatchObject({ kind: "Operand", metadata: { generation: 3 } });
    expect(printed.stderr).toContain("operand/shop is ready, generation 3\n");
    expect((await operand("rollback", "shop", "--to", "2", "--wait")).stdout).toMatch(
      /\noperand\/shop is ready, generation 4\n$/u,
    );
    await operand("suspend", "shop");
    expect(await operand("resume", "shop", "--wait")).toMatchObject({
      code: 0,
      stdout: "operand/shop resumed\noperand/shop is ready, generation 6\n",
    });
  });

  test("waits for a word before it prunes, stops when suspended, and leaves objects alone if asked to", async () => {
    await keep();
    await operand("create", "shop", "-f", "one.yaml", "--prune", "confirm");
    await ready("shop");
    await operand("suspend", "shop");
    await operand("create", "shop", "-f", "two.yaml", "--prune", "confirm");
    expect((await operand("plan", "shop", "--summary")).stdout).toContain("suspended: nothing of this happens before");
    await expect(operand("confirm", "shop")).rejects.toThrow("waits for a word");
    expect((await operand("suspend", "shop")).stdout).toBe("operand/shop is suspended already\n");
    await operand("resume", "shop");
    await ready("shop");
    expect((await operand("status", "shop")).stdout).toContain(
      "  - ConfigMap default/flags  waits for: levelset operand confirm shop\n",
    );
    expect((await operand("confirm", "shop")).stdout).toBe("operand/shop confirmed\n  - ConfigMap default/flags\n");
    await expect.poll(async () => (await client.get(Operand, { name: "shop" })).status?.pending).toBeUndefined();
    await expect(client.get(ConfigMap, { namespace: "default", name: "flags" })).rejects.toThrow("not found");
    await operand("delete", "shop", "--cascade", "orphan");
    const left = await client.get(ConfigMap, { namespace: "default", name: "other" });
    expect(left.metadata.ownerReferences ?? []).toEqual([]);
  });

  test("says which object a deletion waits for, and goes on without it if asked to", async () => {
    await keep();
    const map = (name: string, more: object): object => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default", ...more },
    });
    const annotations = { "operand.levelset.dev/wave": "1" };
    const items = [map("base", {}), map("held", { annotations, finalizers: ["example.com/f"] })];
    const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    await piped({ cwd, stdin }, "create", "shop", "-f", "-", "--deletion-timeout", "1h");
    await ready("shop");
    expect((await operand("delete", "shop", "--no-wait")).stdout).toBe("operand/shop is being deleted\n");
    const held = "waiting until it is gone: configmap/held in default (deleted ";
    await expect.poll(async () => (await operand("status", "shop")).stdout).toContain(held);
    expect((await client.get(ConfigMap, { namespace: "default", name: "base" })).metadata.deletionTimestamp).toBe(
      undefined,
    );
    expect(await operand("delete", "shop", "--skip-deletion-wait")).toMatchObject({ code: 0 });
    await expect(client.get(ConfigMap, { namespace: "default", name: "base" })).rejects.toThrow("not found");
    const left = await client.get(ConfigMap, { namespace: "default", name: "held" });
    expect(left.metadata.finalizers).toEqual(["example.com/f"]);
  });

  test("never leaves a deletion in the foreground to the garbage collector, which keeps no order", async () => {
    await keep();
    const metadata = { name: "held", namespace: "default", finalizers: ["example.com/f"] };
    const stdin = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata });
    await piped({ cwd, stdin }, "create", "shop", "-f", "-");
    await ready("shop");
    await operand("delete", "shop", "--cascade", "foreground", "--no-wait");
    const { metadata: deleted, spec } = await client.get(Operand, { name: "shop" });
    expect(deleted.finalizers).not.toContain("foregroundDeletion");
    expect(spec.deletionPolicy).toBe("WaitForTermination");
    await client.mergePatch(ConfigMap, metadata, { metadata: { finalizers: null } });
    await expect.poll(() => client.get(Operand, { name: "shop" }).then(Boolean, () => false)).toBe(false);
  });

  test("tells what an installation waits for, in lines or in a frame", async () => {
    await keep();
    const web = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    };
    await piped({ cwd, stdin: JSON.stringify(web) }, "create", "shop", "-f", "-");
    const terminal = { columns: 100, colors: true };
    const shown = await piped({ cwd, terminal }, "status", "shop", "--watch");
    expect(shown.stdout).toContain("applied ███████████████ 1/1");
    expect(shown.code).toBe(0);
    const json: unknown = JSON.parse((await operand("status", "shop", "-o", "json")).stdout);
    expect(json).toMatchObject({ name: "shop", isReady: true, items: [{ ref: { name: "web" }, state: "applied" }] });
  });

  test("prints an Operand without a cluster, with Secrets masked unless asked for", async () => {
    const flags = [
      "--dry-run",
      "-o",
      "yaml",
      "--prune",
      "deferred",
      "--prune-after",
      "5m",
      "--drift-ignore",
      "/data/a",
    ];
    const masked = await operand("create", "shop", "-f", "one.yaml", ...flags);
    expect(masked.stderr).toContain("--show-secrets");
    expect(load(masked.stdout)).toMatchObject({
      kind: "Operand",
      metadata: { name: "shop" },
      spec: {
        prune: { mode: "Deferred", after: "5m" },
        drift: { ignore: [{ fields: ["/data/a"] }] },
        steadyState: [{ kind: "ConfigMap" }, { kind: "Secret", stringData: { password: "***" } }],
      },
    });
    const asked = ["create", "shop", "-f", "one.yaml", "--dry-run", "-o", "json", "--show-secrets"];
    const whole = await runShell({ cwd }, "operand", ...asked);
    expect(whole.stdout).toContain(PASSWORD);
  });

  test("asks the server without writing anything", async () => {
    await keep();
    expect((await operand("create", "shop", "-f", "one.yaml", "--dry-run", "server")).stdout).toBe(
      "operand/shop created (dry run: server)\n",
    );
    await expect(operand("status", "shop")).rejects.toThrow('there is no Operand "shop"');
  });

  test("refuses what it cannot do, and says why", async () => {
    await keep();
    await writeFile(join(cwd, "bare.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: bare}}");
    await writeFile(join(cwd, "spec.yaml"), "{health: [{kind: Job, ready: 'self.'}]}");
    await writeFile(join(cwd, "unknown.yaml"), "{helth: []}");
    for (const [words, message] of REFUSED) await expect(operand(...words)).rejects.toThrow(message);
  });

  test("says how Operands come to a cluster that does not know them", async () => {
    await expect(operand("plan", "a", "-f", "one.yaml")).rejects.toMatchObject({
      message: "the cluster does not know Operands",
      hint: "levelset operand run brings their CRDs, and keeps them",
    });
    expect(await readFile(join(cwd, KUBECONFIG_PATH), "utf8")).toContain(server.url);
  });
});
