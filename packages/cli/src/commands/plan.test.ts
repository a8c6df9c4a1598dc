import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { realClock, Secret, silentLogger } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { Client, connect, installCrd, loadKubeconfig } from "@levelset/operator";
import type { Connection } from "@levelset/operator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../apiserver/embedded-server.ts";
import type { EmbeddedServer } from "../apiserver/embedded-server.ts";
import { loadProgram } from "../process/index.ts";
import { runShell } from "../terminal/shell.fixture.ts";
import type { CommandOutput } from "../terminal/shell.fixture.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const FILE = "examples/02-rwexternal/rwexternal.ts";
const namespace = "default";
const DIVIDEND = "70000021";

let directory: string;
let kubeconfig: string;
let server: EmbeddedServer;
let connection: Connection;
let client: Client;
let kind: AnyCustomKind;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-plan-"));
  kubeconfig = join(directory, "kubeconfig");
  const world = { cwd: directory, clock: realClock, logger: silentLogger };
  server = await startEmbeddedServer({ command: "levelset apiserver", port: 0, kubeconfig, ...world });
  connection = connect(await loadKubeconfig(kubeconfig));
  client = new Client({ fetch: connection.fetch, fieldManager: "test" });
  const { operators } = await loadProgram(FILE, ROOT);
  const [own] = operators.flatMap(({ kinds }) => kinds);
  if (own === undefined) throw new Error("the example has an operator");
  kind = own;
  await installCrd(client, kind, { clock: realClock });
});
afterEach(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function plan(...args: readonly string[]): Promise<CommandOutput> {
  const output = await runShell({ cwd: ROOT }, "plan", FILE, "--kubeconfig", kubeconfig, "--exit-code", ...args);
  const encoded = Buffer.from(DIVIDEND).toString("base64");
  expect(output.stdout + output.stderr).not.toMatch(new RegExp(`${DIVIDEND}|${encoded}`, "u"));
  return output;
}

async function createInput(divisor: string): Promise<void> {
  const stringData = { dividend: DIVIDEND, divisor };
  await client.create(Secret, { metadata: { namespace, name: "numbers" }, stringData });
  const object = { metadata: { namespace, name: "a" }, spec: { inputSecret: "numbers" } };
  await client.create(kind, object);
}

describe("levelset plan", () => {
  test("exits with 0 if nothing would change", async () => {
    const { stdout, stderr, code } = await plan();
    expect(stdout).toBe(
      "note: no RWExternal was copied: the plan does not show what the operator does with one\n\nno changes; 0 objects unchanged\n",
    );
    expect(stderr).toMatch(/^context \S+, https:\/\/\S+\ncopied 0 objects\n$/u);
    expect(code).toBe(0);
  });

  test("exits with 3 if something would change, and writes nothing", async () => {
    await createInput("4");
    const { stdout, code } = await plan("--summary");
    expect(stdout).toContain("  + Secret      default/a\n");
    expect(stdout).toContain("    RWExternal default/a  Ready Unknown → True  Ready  ");
    expect(stdout).toMatch(/1 to create, 1 to change, 1 status to change; 1 object unchanged\n$/u);
    expect(code).toBe(3);
    expect((await client.list(Secret, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual(["numbers"]);
  });

  test("exits with 4 if an object that is Ready would not be", async () => {
    await createInput("0");
    const conditions = [{ type: "Ready", status: "True", reason: "Ready", lastTransitionTime: "2026-01-01T00:00:00Z" }];
    const status = { observedGeneration: 1, conditions };
    await client.mergePatch(kind, { namespace, name: "a" }, { status }, { subresource: "status" });
    const { stdout, code } = await plan("--summary");
    expect(stdout).toContain("  ✗ RWExternal default/a  Ready True → False  Degraded  ");
    expect(code).toBe(4);
  });

  test("prints JSON with Secrets masked", async () => {
    await createInput("4");
    const { stdout, stderr } = await plan("-o", "json");
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({
      isChanging: true,
      isRegression: false,
      totals: { create: 1, change: 1, report: 1, restarts: 0, unchanged: 1 },
      objects: expect.arrayContaining([
        expect.objectContaining({
          action: "create",
          after: expect.objectContaining({ data: { quotient: "***", remainder: "***" } }),
        }),
      ]),
      heldBack: [],
      problems: [],
    });
  });

  test("does not plan a file without operators", async () => {
    await expect(runShell({ cwd: ROOT }, "plan", "package.json", "--kubeconfig", kubeconfig)).rejects.toThrow(
      /^package.json/u,
    );
  });

  test("notes a namespace that does not exist", async () => {
    expect((await plan("-n", "nope")).stdout).toContain("note: namespace nope does not exist\n");
  });

  test("refuses invalid namespaces", async () => {
    await expect(plan("-n", "A")).rejects.toThrow('"A" is not a valid namespace name');
  });
});
