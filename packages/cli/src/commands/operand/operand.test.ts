import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap, realClock, realRandom, Secret, silentLogger } from "@levelset/core";
import { Client, connect, installCrd, loadKubeconfig, Operand, operandManager } from "@levelset/operator";
import type { Connection } from "@levelset/operator";
import { load } from "js-yaml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../../apiserver/embedded-server.ts";
import type { EmbeddedServer } from "../../apiserver/embedded-server.ts";
import { KUBECONFIG_PATH } from "../../cluster/kubeconfig-file.ts";
import { runShell } from "../../terminal/shell.fixture.ts";
import type { CommandOptions, CommandOutput } from "../../terminal/shell.fixture.ts";

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
let server: EmbeddedServer;
let connection: Connection;
let client: Client;
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-operand-"));
  const world = { cwd, clock: realClock, logger: silentLogger };
  server = await startEmbeddedServer({ command: "levelset dev", port: 0, kubeconfig: KUBECONFIG_PATH, ...world });
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

/** Starts the Operand controllers. */
async function startManager(): Promise<void> {
  const manager = operandManager();
  const world = {
    fetch: connection.fetch,
    clock: realClock,
    random: realRandom,
    logger: silentLogger,
    signal: stop.signal,
  };
  for (const kind of manager.kinds ?? []) await installCrd(client, kind, world);
  running = manager.start(world);
}

async function operand(...args: readonly string[]): Promise<CommandOutput> {
  return runChecked({ cwd }, ...args);
}

/** Runs a command and checks that its output has no secrets. */
async function runChecked(options: CommandOptions, ...args: readonly string[]): Promise<CommandOutput> {
  const output = await runShell(options, "operand", ...args);
  expect(output.stdout + output.stderr).not.toContain(PASSWORD);
  expect(output.stdout + output.stderr).not.toContain(ENCODED);
  return output;
}

async function ready(name: string): Promise<void> {
  expect((await operand("status", name, "--watch")).code).toBe(0);
}

const REFUSED: readonly (readonly [readonly string[], string])[] = [
  [["create", "a"], "no manifests given"],
  [["create", "a", "-f", "-", "--post-install", "-"], "only one option can read from stdin (-)"],
  [["create", "a", "-f", "nowhere"], "cannot read nowhere"],
  [["create", "a", "-f", "bare.yaml"], "steadyState[0]: configmap/bare has no metadata.namespace"],
  [["create", "a", "-f", "one.yaml", "-f", "one.yaml"], "is already declared at steadyState[0] (and 1 more)"],
  [["create", "a", "-f", "one.yaml", "--spec", "spec.yaml"], "health[0]"],
  [["create", "a", "-f", "one.yaml", "--spec", "unknown.yaml"], "an Operand has no field spec.helth"],
  [["create", "a", "-f", "one.yaml", "--prune", "never"], "Allowed choices are immediate"],
  [["create", "a", "-f", "one.yaml", "--prune-after", "soon"], "write a duration such as"],
  [["create", "A_b", "-f", "one.yaml"], "A_b"],
  [["create", "a", "-f", "one.yaml", "--wait", "--dry-run"], "--wait has no effect with --dry-run"],
  [["create", "a", "-f", "one.yaml", "--timeout", "5m"], "--timeout has no effect without --wait"],
  [["resume", "a", "--timeout", "5m"], "--timeout has no effect without --wait"],
  [["rollback", "a", "--timeout", "5m"], "--timeout has no effect without --wait"],
  [["plan", "a"], 'there is no Operand "a"'],
  [["plan", "a", "-f", "one.yaml", "--to", "1"], "--to cannot be combined with -f"],
  [["plan", "a", "--prune", "confirm"], "flags for manifests need -f"],
  [["plan", "a", "--to", "x"], "write a generation that levelset operand history lists"],
  [["rollback", "a"], 'there is no Operand "a"'],
  [["delete", "a", "--cascade", "all"], "Allowed choices are background"],
];

describe("levelset operand", () => {
  test("installs, plans, changes, rolls back and deletes an Operand; secrets are never printed", async () => {
    await startManager();
    const first = await operand("plan", "shop", "-f", "one.yaml", "--exit-code");
    expect([first.code, first.stdout]).toEqual([
      3,
      expect.stringMatching(/\+ Secret +default\/db\n[^]*\n2 to create\n$/u),
    ]);
    expect((await operand("create", "shop", "-f", "one.yaml")).stdout).toMatch(/^operand\/shop created\n/u);
    await ready("shop");
    const idle = await operand("plan", "shop", "--exit-code");
    expect([idle.code, idle.stdout]).toEqual([0, "no changes: 2 up to date\n"]);
    expect((await operand("create", "shop", "-f", "one.yaml")).stdout).toBe("operand/shop unchanged\n");

    const change = await operand("plan", "shop", "-f", "two.yaml");
    expect(change.code).toBe(0);
    expect(change.stdout).toContain("  ~ Secret     default/db     password changed\n");
    expect(change.stdout).toContain("  - ConfigMap  default/flags  pruned when the new version is Ready\n");
    expect(change.stdout).toContain("-  password: '*** (before)'\n+  password: '*** (after)'\n");
    expect((await runChecked({ cwd, stdin: CHANGED }, "create", "shop", "-f", "-")).stdout).toMatch(
      /^operand\/shop configured\n/u,
    );
    await ready("shop");
    await expect(client.get(ConfigMap, { namespace: "default", name: "flags" })).rejects.toThrow("not found");

    const { stdout } = await operand("history", "shop");
    expect(stdout).toMatch(/^GENERATION.*\n1 +\d+ s ago +2 +sha256-\w+\n2 +\d+ s ago +2 +sha256-\w+ +installed\n$/u);
    expect((await operand("plan", "shop", "--to", "1", "--summary")).stdout).toContain("+ ConfigMap  default/flags\n");
    expect((await operand("rollback", "shop")).stdout).toMatch(
      /^operand\/shop rolled back to generation 1, as generation 3\n/u,
    );
    await ready("shop");
    const secret = await client.get(Secret, { namespace: "default", name: "db" });
    expect(secret.data?.["password"]).toBe(ENCODED);

    expect(await operand("delete", "shop")).toMatchObject({ code: 0, stdout: "operand/shop deleted\n" });
    await expect(client.get(Secret, { namespace: "default", name: "db" })).rejects.toThrow("not found");
    await expect(operand("status", "shop")).rejects.toThrow('there is no Operand "shop"');
  });

  test("waits until the Operand is Ready at the written generation, and exits with 3 without a controller", async () => {
    const world = { fetch: connection.fetch, clock: realClock, random: realRandom, logger: silentLogger };
    for (const kind of operandManager().kinds ?? []) await installCrd(client, kind, { ...world, signal: stop.signal });
    const idle = await operand("create", "shop", "-f", "one.yaml", "--wait", "--timeout", "300ms");
    expect(idle.code).toBe(3);
    expect(idle.stdout).toMatch(
      /^operand\/shop created\noperand\/shop is Unknown.*\nTry: levelset operand status shop\n$/u,
    );
    await startManager();
    const created = await operand("create", "shop", "-f", "two.yaml", "--wait");
    expect([created.code, created.stdout]).toEqual([
      0,
      "operand/shop configured\noperand/shop is Ready, generation 2\n",
    ]);
    expect((await client.get(Operand, { name: "shop" })).status?.observedGeneration).toBe(2);
    const same = await operand("create", "shop", "-f", "two.yaml", "--wait");
    expect(same.stdout).toBe("operand/shop unchanged\noperand/shop is Ready, generation 2\n");
    const printed = await operand("create", "shop", "-f", "one.yaml", "--wait", "-o", "yaml");
    expect(load(printed.stdout)).toMatchObject({ kind: "Operand", metadata: { generation: 3 } });
    expect(printed.stderr).toContain("operand/shop is Ready, generation 3\n");
    expect((await operand("rollback", "shop", "--to", "2", "--wait")).stdout).toMatch(
      /\noperand\/shop is Ready, generation 4\n$/u,
    );
    await operand("suspend", "shop");
    expect(await operand("resume", "shop", "--wait")).toMatchObject({
      code: 0,
      stdout: "operand/shop resumed\noperand/shop is Ready, generation 6\n",
    });
  });

  test("prunes only after confirm, stops when suspended, and retains objects with --cascade orphan", async () => {
    await startManager();
    await operand("create", "shop", "-f", "one.yaml", "--prune", "confirm");
    await ready("shop");
    await operand("suspend", "shop");
    await operand("create", "shop", "-f", "two.yaml", "--prune", "confirm");
    expect((await operand("plan", "shop", "--summary")).stdout).toContain(
      "Paused: run levelset operand resume to apply this plan",
    );
    await expect(operand("confirm", "shop")).rejects.toThrow("no pending pruning to approve");
    expect((await operand("suspend", "shop")).stdout).toBe("operand/shop is already suspended\n");
    await operand("resume", "shop");
    await ready("shop");
    expect((await operand("status", "shop")).stdout).toContain(
      "  - ConfigMap default/flags  pending: levelset operand confirm shop\n",
    );
    expect((await operand("confirm", "shop")).stdout).toBe("operand/shop confirmed\n  - ConfigMap default/flags\n");
    await expect.poll(async () => (await client.get(Operand, { name: "shop" })).status?.pending).toBeUndefined();
    await expect(client.get(ConfigMap, { namespace: "default", name: "flags" })).rejects.toThrow("not found");
    await operand("delete", "shop", "--cascade", "orphan");
    const left = await client.get(ConfigMap, { namespace: "default", name: "other" });
    expect(left.metadata.ownerReferences ?? []).toEqual([]);
  });

  test("prints the object that blocks a deletion, and skips the wait with --skip-deletion-wait", async () => {
    await startManager();
    const map = (name: string, more: object): object => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default", ...more },
    });
    const annotations = { "operand.levelset.dev/wave": "1" };
    const items = [map("base", {}), map("held", { annotations, finalizers: ["example.com/f"] })];
    const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    await runChecked({ cwd, stdin }, "create", "shop", "-f", "-", "--deletion-timeout", "1h");
    await ready("shop");
    expect((await operand("delete", "shop", "--no-wait")).stdout).toBe("operand/shop is being deleted\n");
    const held = "waiting for deletion: configmap/held in default (deleted ";
    await expect.poll(async () => (await operand("status", "shop")).stdout).toContain(held);
    expect((await client.get(ConfigMap, { namespace: "default", name: "base" })).metadata.deletionTimestamp).toBe(
      undefined,
    );
    expect(await operand("delete", "shop", "--skip-deletion-wait")).toMatchObject({ code: 0 });
    await expect(client.get(ConfigMap, { namespace: "default", name: "base" })).rejects.toThrow("not found");
    const left = await client.get(ConfigMap, { namespace: "default", name: "held" });
    expect(left.metadata.finalizers).toEqual(["example.com/f"]);
  });

  test("names namespaces as retained, but no objects of a kind Namespace of another group", async () => {
    await startManager();
    const items = ["v1", "example.com/v1"].map((apiVersion) => ({
      apiVersion,
      kind: "Namespace",
      metadata: { name: apiVersion === "v1" ? "home" : "other" },
    }));
    await client.apply(Operand, { metadata: { name: "shop" }, spec: { steadyState: items } });
    expect((await operand("delete", "shop")).stdout).toBe(
      "operand/shop deleted\nnot deleted (namespaces and CRDs are always retained): Namespace home\n",
    );
  });

  test("never uses foreground deletion of the garbage collector, which ignores the order", async () => {
    await startManager();
    const metadata = { name: "held", namespace: "default", finalizers: ["example.com/f"] };
    const stdin = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata });
    await runChecked({ cwd, stdin }, "create", "shop", "-f", "-");
    await ready("shop");
    await operand("delete", "shop", "--cascade", "foreground", "--no-wait");
    const { metadata: deleted, spec } = await client.get(Operand, { name: "shop" });
    expect(deleted.finalizers).not.toContain("foregroundDeletion");
    expect(spec.deletionPolicy).toBe("WaitForTermination");
    await client.mergePatch(ConfigMap, metadata, { metadata: { finalizers: null } });
    await expect.poll(() => client.get(Operand, { name: "shop" }).then(Boolean, () => false)).toBe(false);
  });

  test("shows what an installation waits for, in lines or in a frame", async () => {
    await startManager();
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
    await runChecked({ cwd, stdin: JSON.stringify(web) }, "create", "shop", "-f", "-");
    const terminal = { columns: 100, colors: true };
    const shown = await runChecked({ cwd, terminal }, "status", "shop", "--watch");
    expect(shown.stdout).toContain("applied ███████████████ 1/1");
    expect(shown.code).toBe(0);
    const json: unknown = JSON.parse((await operand("status", "shop", "-o", "json")).stdout);
    expect(json).toMatchObject({ name: "shop", isReady: true, items: [{ ref: { name: "web" }, state: "applied" }] });
  });

  test("prints an Operand without a cluster, with Secrets masked unless --show-secrets is set", async () => {
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
    const args = ["create", "shop", "-f", "one.yaml", "--dry-run", "-o", "json", "--show-secrets"];
    const complete = await runShell({ cwd }, "operand", ...args);
    expect(complete.stdout).toContain(PASSWORD);
  });

  test("sends a dry run to the server without a write", async () => {
    await startManager();
    expect((await operand("create", "shop", "-f", "one.yaml", "--dry-run", "server")).stdout).toBe(
      "operand/shop created (dry run: server)\n",
    );
    await expect(operand("status", "shop")).rejects.toThrow('there is no Operand "shop"');
  });

  test("refuses invalid requests with a message", async () => {
    await startManager();
    await writeFile(join(cwd, "bare.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: bare}}");
    await writeFile(join(cwd, "spec.yaml"), "{health: [{kind: Job, ready: 'self.'}]}");
    await writeFile(join(cwd, "unknown.yaml"), "{helth: []}");
    for (const [args, message] of REFUSED) await expect(operand(...args)).rejects.toThrow(message);
  });

  test("prints a hint if the Operand CRDs are not installed", async () => {
    await expect(operand("plan", "a", "-f", "one.yaml")).rejects.toMatchObject({
      message: "the Operand CRDs are not installed",
      hint: "run levelset operand run, which installs the CRDs",
    });
    expect(await readFile(join(cwd, KUBECONFIG_PATH), "utf8")).toContain(server.url);
  });
});
