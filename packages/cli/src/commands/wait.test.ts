import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap, kind, realClock, realRandom, s, silentLogger } from "@levelset/core";
import { Client, connect, installKind, loadKubeconfig } from "@levelset/operator";
import type { Connection } from "@levelset/operator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer } from "../embedded.ts";
import type { RunningServer } from "../embedded.ts";
import { startDevFleet } from "../fleet-server/index.ts";
import { KUBECONFIG_PATH } from "../kubeconfig-file.ts";
import { runShell, testShell } from "../shell.fixture.ts";
import type { CommandOptions, Said } from "../shell.fixture.ts";

const Widget = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().default(1) }),
});
const namespace = "default";

let cwd: string;
let server: RunningServer;
let connection: Connection;
let client: Client;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-wait-"));
  const world = { cwd, clock: realClock, logger: silentLogger };
  server = await startServer({ command: "levelset dev", port: 0, kubeconfig: KUBECONFIG_PATH, ...world });
  connection = connect(await loadKubeconfig(join(cwd, KUBECONFIG_PATH)));
  client = new Client({ fetch: connection.fetch, fieldManager: "test" });
});
afterEach(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

/** Runs the command. `steps` maps a text to what is done when the command has said it. */
async function wait(
  words: readonly string[],
  steps: Readonly<Record<string, () => Promise<unknown>>> = {},
  options: Partial<CommandOptions> = {},
): Promise<Said> {
  const left = new Map(Object.entries(steps));
  const done: Promise<unknown>[] = [];
  const onSaid = ({ stdout, stderr }: Said): void => {
    for (const [text, act] of left) {
      if (!`${stdout}${stderr}`.includes(text)) continue;
      left.delete(text);
      done.push(act());
    }
  };
  const said = await runShell({ cwd, onSaid, ...options }, "wait", ...words);
  await Promise.all(done);
  expect([...left.keys()]).toEqual([]);
  return said;
}

async function installed(): Promise<void> {
  const { fetch } = connection;
  const world = { fetch, clock: realClock, random: realRandom, logger: silentLogger };
  await installKind(client, Widget, { ...world, signal: new AbortController().signal });
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
  test("waits for an object from its absence to Ready, with the reason on stderr and the result on stdout", async () => {
    await installed();
    const said = await wait(["widget/a"], {
      "does not exist yet": () => create("a"),
      "no controller has observed it yet": () =>
        report("a", 1, { status: "False", severity: "Info", message: "pulls" }),
      pulls: () => report("a", 1, { status: "True" }),
    });
    expect(said.code).toBe(0);
    expect(said.stdout).toBe("widget/a is ready, generation 1\n");
    expect(said.stderr.split("\n").slice(1)).toEqual([
      "widget/a  Unknown  does not exist yet",
      "widget/a  Unknown  generation 1  no controller has observed it yet",
      "widget/a  Progressing  generation 1, observed 1  Test: pulls",
      "",
    ]);
  });

  test("waits for the generation of a write, and for several objects at once", async () => {
    await installed();
    for (const name of ["a", "b"]) {
      await create(name);
      await report(name, 1, { status: "True" });
    }
    const said = await wait(["widget/a", "widget/b", "widget/a", "--generation", "2", "-o", "json"], {
      "widget/a  Progressing  generation 1, observed 1  read generation 1, waiting for generation 2": async () => {
        for (const name of ["a", "b"]) {
          await client.mergePatch(Widget, { namespace, name }, { spec: { size: 2 } });
          await report(name, 2, { status: "True" });
        }
      },
    });
    expect(said.code).toBe(0);
    const entry = {
      kind: "Widget",
      namespace,
      result: "reached",
      generation: 2,
      observedGeneration: 2,
      state: "Ready",
    };
    expect(JSON.parse(said.stdout)).toEqual({
      for: "ready",
      outcome: "reached",
      objects: [
        { ...entry, object: "widget/a", name: "a", message: "Ready is True" },
        { ...entry, object: "widget/b", name: "b", message: "Ready is True" },
      ],
    });
  });

  test("ends with 3, the reason and a hint when the object has failed, or goes on if asked to", async () => {
    await installed();
    await create("a");
    await report("a", 1, { status: "False", severity: "Error", reason: "BadImage", message: "no such\u001B[2J image" });
    const said = await wait(["widget", "a", "-n", namespace]);
    expect([said.code, said.stdout]).toEqual([
      3,
      "widget/a has failed, generation 1: BadImage: no such [2J image\nTry: levelset why widget/a -n default\n",
    ]);
    const patient = await wait(["widget/a", "--keep-waiting"], { Failed: () => report("a", 1, { status: "True" }) });
    expect(patient.code).toBe(0);
  });

  test("ends with 3 when the time is over or the command is asked to stop", async () => {
    await installed();
    await create("a");
    const late = await wait(["widget/a", "--timeout", "1ms"]);
    expect(late).toMatchObject({ code: 3, stdout: expect.stringContaining("widget/a is not ready") });
    expect(late.stderr).toContain("levelset: timed out");
    const stop = new AbortController();
    const stopped = await wait(
      ["widget/a", "--timeout", "0"],
      { "no controller": () => Promise.resolve(stop.abort()) },
      { signal: stop.signal },
    );
    expect(stopped).toMatchObject({ code: 3, stderr: expect.stringContaining("levelset: stopped") });
  });

  test("waits until an object is deleted, and says what holds it", async () => {
    const key = { namespace, name: "held" };
    await client.create(ConfigMap, { metadata: { ...key, finalizers: ["example.com/f"] } });
    const said = await wait(["cm/held", "--for", "deleted"], {
      "not being deleted": () => client.delete(ConfigMap, key),
      "held by example.com/f": () => client.mergePatch(ConfigMap, key, { metadata: { finalizers: null } }),
    });
    expect([said.code, said.stdout]).toEqual([0, "configmap/held is deleted\n"]);
    expect((await wait(["cm/held", "--for", "deleted"])).code).toBe(0);
  });

  test("ends when the object is deleted instead of becoming ready", async () => {
    await installed();
    await create("a");
    const said = await wait(["widget/a"], { "no controller": () => client.delete(Widget, { namespace, name: "a" }) });
    expect([said.code, said.stdout]).toEqual([3, "widget/a was deleted\n"]);
  });

  test("waits for an object of the cluster and a resource of the fleet at once", async () => {
    const options = { memory: true, simulate: false, verbose: false };
    await using fleet = await startDevFleet(options, testShell({ cwd }).shell);
    expect(fleet).toBeDefined();
    await runShell({ cwd }, "create", "cluster", "eu-1");
    const said = await wait(["configmap/a", "cluster/eu-1", "--for", "deleted", "-o", "json"], {
      "cluster/eu-1 ": () => runShell({ cwd }, "delete", "cluster", "eu-1", "--force", "--reason", "test"),
    });
    expect(said.code).toBe(0);
    expect(JSON.parse(said.stdout)).toMatchObject({
      outcome: "reached",
      objects: [{ object: "configmap/a" }, { object: "cluster/eu-1" }],
    });
  });

  test.each([
    [["podds/a"], 'there is no kind "podds"', "did you mean pod?"],
    [["cluster/a"], "no fleet is known here", expect.stringContaining("--fleet")],
    [["cm/a", "b"], '"b" does not name an object', expect.any(String)],
    [["cm/a/b"], '"cm/a/b" does not name an object', expect.any(String)],
    [["ns/default", "--for", "available"], "has no condition Available", expect.stringContaining("--for ready")],
  ])("refuses %j with a hint", async (words, message, hint) => {
    const failure = { name: "InputError", message: expect.stringContaining(message), hint };
    await expect(wait(words)).rejects.toMatchObject(failure);
  });

  test.each([
    [["cm/a", "--for", "happy"], "Allowed choices are ready, available, deleted"],
    [["cm/a", "--timeout", "soon"], "a time is written like 90s"],
    [["cm/a", "--timeout", "-5s"], "is not negative"],
    [["cm/a", "--generation", "0"], "a generation is a whole number from 1"],
  ])("refuses the flag in %j", async (words, message) => {
    await expect(wait(words)).rejects.toThrow(message);
  });
});
