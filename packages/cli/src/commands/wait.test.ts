import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap, kind, realClock, realRandom, s, silentLogger } from "@levelset/core";
import { Client, connect, installCrd, loadKubeconfig, OperandRevision } from "@levelset/operator";
import type { AnyCustomKind } from "@levelset/core";
import type { Connection } from "@levelset/operator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../apiserver/embedded-server.ts";
import type { EmbeddedServer } from "../apiserver/embedded-server.ts";
import { startDevFleet } from "../fleet-server/index.ts";
import { KUBECONFIG_PATH } from "../cluster/kubeconfig-file.ts";
import { runShell, testShell } from "../terminal/shell.fixture.ts";
import type { CommandOptions, CommandOutput } from "../terminal/shell.fixture.ts";

const Widget = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().default(1) }),
});
const namespace = "default";

let cwd: string;
let server: EmbeddedServer;
let connection: Connection;
let client: Client;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-wait-"));
  const world = { cwd, clock: realClock, logger: silentLogger };
  server = await startEmbeddedServer({ command: "levelset dev", port: 0, kubeconfig: KUBECONFIG_PATH, ...world });
  connection = connect(await loadKubeconfig(join(cwd, KUBECONFIG_PATH)));
  client = new Client({ fetch: connection.fetch, fieldManager: "test" });
});
afterEach(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

/** Runs the command. `steps` maps output texts to actions that run when the text is printed. */
async function wait(
  args: readonly string[],
  steps: Readonly<Record<string, () => Promise<unknown>>> = {},
  options: Partial<CommandOptions> = {},
): Promise<CommandOutput> {
  const pending = new Map(Object.entries(steps));
  const done: Promise<unknown>[] = [];
  const onOutput = ({ stdout, stderr }: CommandOutput): void => {
    for (const [text, act] of pending) {
      if (!`${stdout}${stderr}`.includes(text)) continue;
      pending.delete(text);
      done.push(act());
    }
  };
  const output = await runShell({ cwd, onOutput, ...options }, "wait", ...args);
  await Promise.all(done);
  expect([...pending.keys()]).toEqual([]);
  return output;
}

async function installed(wanted: AnyCustomKind = Widget): Promise<void> {
  const { fetch } = connection;
  const world = { fetch, clock: realClock, random: realRandom, logger: silentLogger };
  await installCrd(client, wanted, { ...world, signal: new AbortController().signal });
}

async function create(name: string): Promise<void> {
  await client.create(Widget, { metadata: { namespace, name }, spec: {} });
}

async function report(name: string, observedGeneration: number, ready: object): Promise<void> {
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const conditions = [{ type: "Ready", reason: "Test", message: "", lastTransitionTime, ...ready }];
  const patch = { status: { observedGeneration, conditions } };
  await client.mergePatch(Widget, { namespace, name }, patch, { subresource: "status" });
}

describe("levelset wait", () => {
  test("ends at once for a revision of an Operand, whose status no controller writes", async () => {
    await installed(OperandRevision);
    const time = "2026-01-01T00:00:00Z";
    const spec = { operand: "shop", generation: 1, activeOperand: "shop", objects: 0, time, asked: {} };
    await client.create(OperandRevision, { metadata: { name: "shop-1" }, spec });
    const output = await wait(["operandrevision/shop-1", "--timeout", "5s"]);
    expect(output).toMatchObject({ code: 0, stdout: "operandrevision/shop-1 is Ready, generation 1\n" });
  });

  test("waits for a missing object until it is Ready, with progress on stderr and the result on stdout", async () => {
    await installed();
    const output = await wait(["widget/a"], {
      "does not exist yet": () => create("a"),
      "no controller has observed it yet": () =>
        report("a", 1, { status: "False", severity: "Info", message: "pulls" }),
      pulls: () => report("a", 1, { status: "True" }),
    });
    expect(output.code).toBe(0);
    expect(output.stdout).toBe("widget/a is Ready, generation 1\n");
    expect(output.stderr.split("\n").slice(1)).toEqual([
      "widget/a  Unknown  does not exist yet",
      "widget/a  Unknown  generation 1  no controller has observed it yet",
      "widget/a  Progressing  generation 1, observed 1  Test: pulls",
      "",
    ]);
  });

  test("waits for the generation of a write, and for several objects", async () => {
    await installed();
    for (const name of ["a", "b"]) {
      await create(name);
      await report(name, 1, { status: "True" });
    }
    const output = await wait(["widget/a", "widget/b", "widget/a", "--generation", "2", "-o", "json"], {
      "widget/a  Progressing  generation 1, observed 1  read generation 1, waiting for generation 2": async () => {
        for (const name of ["a", "b"]) {
          await client.mergePatch(Widget, { namespace, name }, { spec: { size: 2 } });
          await report(name, 2, { status: "True" });
        }
      },
    });
    expect(output.code).toBe(0);
    const entry = {
      kind: "Widget",
      namespace,
      result: "reached",
      generation: 2,
      observedGeneration: 2,
      state: "Ready",
    };
    expect(JSON.parse(output.stdout)).toEqual({
      for: "ready",
      outcome: "reached",
      objects: [
        { ...entry, object: "widget/a", name: "a", message: "Ready is True" },
        { ...entry, object: "widget/b", name: "b", message: "Ready is True" },
      ],
    });
  });

  test("exits with 3, a reason and a hint if the object has failed, or keeps waiting with --keep-waiting", async () => {
    await installed();
    await create("a");
    await report("a", 1, { status: "False", severity: "Error", reason: "BadImage", message: "no such\u001B[2J image" });
    const output = await wait(["widget", "a", "-n", namespace]);
    expect([output.code, output.stdout]).toEqual([
      3,
      "widget/a has failed, generation 1: BadImage: no such [2J image\nTry: levelset why widget/a -n default\n",
    ]);
    const patient = await wait(["widget/a", "--keep-waiting"], { Failed: () => report("a", 1, { status: "True" }) });
    expect(patient.code).toBe(0);
  });

  test("exits with 3 on timeout or when it is stopped", async () => {
    await installed();
    await create("a");
    const late = await wait(["widget/a", "--timeout", "1ms"]);
    expect(late).toMatchObject({ code: 3, stdout: expect.stringContaining("widget/a is Unknown") });
    expect(late.stderr).toContain("levelset: timed out");
    const stop = new AbortController();
    const stopped = await wait(
      ["widget/a", "--timeout", "0"],
      { "no controller": () => Promise.resolve(stop.abort()) },
      { signal: stop.signal },
    );
    expect(stopped).toMatchObject({ code: 3, stderr: expect.stringContaining("levelset: stopped") });
  });

  test("waits until an object is deleted, and prints its finalizers", async () => {
    const key = { namespace, name: "held" };
    await client.create(ConfigMap, { metadata: { ...key, finalizers: ["example.com/f"] } });
    const output = await wait(["cm/held", "--for", "deleted"], {
      "not being deleted": () => client.delete(ConfigMap, key),
      "held by example.com/f": () => client.mergePatch(ConfigMap, key, { metadata: { finalizers: null } }),
    });
    expect([output.code, output.stdout]).toEqual([0, "configmap/held is deleted\n"]);
    expect((await wait(["cm/held", "--for", "deleted"])).code).toBe(0);
  });

  test("ends if the object is deleted before it is Ready", async () => {
    await installed();
    await create("a");
    const output = await wait(["widget/a"], { "no controller": () => client.delete(Widget, { namespace, name: "a" }) });
    expect([output.code, output.stdout]).toEqual([3, "widget/a was deleted\n"]);
  });

  test("waits for an object of the cluster and a resource of the fleet together", async () => {
    const options = { memory: true, simulate: false, verbose: false };
    await using fleet = await startDevFleet(options, testShell({ cwd }).shell);
    expect(fleet).toBeDefined();
    await runShell({ cwd }, "create", "cluster", "eu-1");
    const output = await wait(["configmap/a", "cluster/eu-1", "--for", "deleted", "-o", "json"], {
      "cluster/eu-1 ": () => runShell({ cwd }, "delete", "cluster", "eu-1", "--force", "--reason", "test"),
    });
    expect(output.code).toBe(0);
    expect(JSON.parse(output.stdout)).toMatchObject({
      outcome: "reached",
      objects: [{ object: "configmap/a" }, { object: "cluster/eu-1" }],
    });
  });

  test.each([
    [["podds/a"], 'there is no kind "podds"', "did you mean pod?"],
    [["cluster/a"], "no fleet is configured", expect.stringContaining("--fleet")],
    [["cm/a", "b"], '"b" does not name an object', expect.any(String)],
    [["cm/a/b"], '"cm/a/b" does not name an object', expect.any(String)],
    [["ns/default", "--for", "available"], "has no condition Available", expect.stringContaining("--for ready")],
  ])("refuses %j with a hint", async (args, message, hint) => {
    const failure = { name: "InputError", message: expect.stringContaining(message), hint };
    await expect(wait(args)).rejects.toMatchObject(failure);
  });

  test.each([
    [["cm/a", "--for", "happy"], "Allowed choices are ready, available, deleted"],
    [["cm/a", "--timeout", "soon"], "write a non-negative duration such as 90s"],
    [["cm/a", "--timeout", "-5s"], "write a non-negative duration"],
    [["cm/a", "--generation", "0"], "write a whole number of at least 1"],
  ])("refuses the flag in %j", async (args, message) => {
    await expect(wait(args)).rejects.toThrow(message);
  });
});
