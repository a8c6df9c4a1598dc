import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { kind, s } from "@levelset/core";
import { manager, ok, operator, step } from "@levelset/operator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { thisMachine, writeRunFile } from "../process/run-file.ts";
import { runCommand } from "../terminal/shell.fixture.ts";

const make = (name: string, scope: "Namespaced" | "Cluster") =>
  kind({
    group: "trace.levelset.dev",
    version: "v1",
    kind: name,
    shortNames: [name.slice(0, 2).toLowerCase()],
    scope,
    spec: s.object({}),
  });
const [Apple, Orchard] = [make("Apple", "Namespaced"), make("Orchard", "Cluster")];
const operators = [
  operator(Apple, [step(Apple, "Ripen", { condition: "Ripe", do: () => ok() })]),
  operator(Orchard, [step(Orchard, "Plant", { do: () => ok() })]),
];

let directory: string;
let cluster: TestCluster;
let url: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-trace-"));
  await writeFile(join(directory, "token"), "open");
  await writeFile(join(directory, "wrong"), "guess");
  cluster = await testCluster();
  const listening = Promise.withResolvers<string>();
  const endpoints = { port: 0, debugToken: "open", metrics: false };
  cluster.run(manager(operators, { endpoints, onEndpoints: listening.resolve }));
  url = await listening.promise;
  await cluster.create(Apple, { name: "a", spec: {} });
  await cluster.create(Orchard, { name: "o", spec: {} });
  await expect.poll(async () => (await cluster.untilSettled(Orchard, "o")).status?.observedGeneration).toBe(1);
});
afterEach(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const trace = (...args: readonly string[]): Promise<string> =>
  runCommand(directory, "trace", ...args, "--url", url, "--token-file", "token");

describe("levelset trace", () => {
  test("finds runs by any name of a kind, namespaced or not, and serves no metrics that are not recorded", async () => {
    const [output, ...others] = await Promise.all([
      trace("ap/a"),
      trace("apples", "a"),
      trace("apple.trace.levelset.dev/a"),
    ]);
    expect(output).toMatch(/^run 1 {3}[\d:.]+ {2}because .* · waited \d+ ms · \d+ ms\n {8}Ripen ok {2}→ 1 write\n$/u);
    expect(others).toEqual([output, output]);
    expect(await trace("orchard/o")).toMatch(/ {8}Plant ok {2}→ 1 write\n$/u);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  test("prints one run per line as JSON, with the objects and conditions of its steps", async () => {
    const [line = ""] = (await trace("apple/a", "-o", "json")).split("\n");
    expect(JSON.parse(line)).toMatchObject({
      apiVersion: "trace.levelset.dev/v1",
      kind: "Apple",
      namespace: "default",
      name: "a",
      steps: [{ step: "Ripen", condition: "Ripe", result: "ok" }],
    });
  });

  test.each([
    [["apple/b"], "no run of apple default/b is recorded"],
    [["apple/a", "-n", "other"], "no run of apple other/a is recorded"],
    [["pear/a"], 'there is no kind "pear" reconciled by an operator on this machine'],
    [["apple/a", "--last", "0"], "write a number from 1 to 9999."],
  ])("refuses %j", async (args, message) => {
    await expect(trace(...args)).rejects.toThrow(message);
  });

  test("prints why a process cannot be queried", async () => {
    const ask = (...args: readonly string[]): Promise<string> => runCommand(directory, "trace", "apple/a", ...args);
    await expect(ask("--url", url, "--token-file", "wrong")).rejects.toThrow(
      `${url} cannot be queried for runs: the debug token is missing or wrong`,
    );
    await expect(ask("--url", "http://127.0.0.1:1")).rejects.toThrow("cannot be queried for runs");
  });

  test("refuses run records with results that this version does not know", async () => {
    const runs = await (await fetch(`${url}/debug/runs`, { headers: { authorization: "Bearer open" } })).text();
    const newer = createServer((_, response) => response.end(runs.replaceAll('"result":"ok"', '"result":"fine"')));
    await once(newer.listen(0, "127.0.0.1"), "listening");
    const { port } = newer.address() as AddressInfo; // it listens on a port
    try {
      const asked = runCommand(directory, "trace", "apple/a", "--url", `http://127.0.0.1:${port}`);
      await expect(asked).rejects.toThrow("it runs another version of levelset");
    } finally {
      newer.close();
    }
  });

  describe("without --url", () => {
    const kubeconfig = (name: string, server: string): Promise<void> =>
      writeFile(
        join(directory, name),
        JSON.stringify({
          clusters: [{ name: "c", cluster: { server } }],
          users: [{ name: "u", user: {} }],
          contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
          "current-context": "x",
        }),
      );
    const ask = (name: string): Promise<string> =>
      runCommand(directory, "trace", "apple/a", "--kubeconfig", join(directory, name));
    beforeEach(async () => {
      await kubeconfig("ours", "https://127.0.0.1:1");
      await kubeconfig("other", "https://127.0.0.1:2");
      writeRunFile(
        { url, token: "open", pid: process.pid, operators: ["apple"], server: "https://127.0.0.1:1" },
        thisMachine({ XDG_RUNTIME_DIR: directory }),
      );
    });

    test("queries the processes of the cluster", async () => {
      expect(await ask("ours")).toMatch(/^run 1 .*\n {8}Ripen ok/u);
    });

    test("ignores runs of an object with the same name in another cluster", async () => {
      await expect(ask("other")).rejects.toThrow(
        "no operator that serves its runs was found on this machine for context x, https://127.0.0.1:2",
      );
    });
  });
});
