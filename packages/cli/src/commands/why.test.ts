import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock, silentLogger } from "@levelset/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer } from "../embedded.ts";
import type { RunningServer } from "../embedded.ts";
import { KUBECONFIG_PATH } from "../kubeconfig-file.ts";
import { runCommand } from "../shell.fixture.ts";

let directory: string;
let server: RunningServer;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-why-"));
  const kubeconfig = KUBECONFIG_PATH;
  server = await startServer({
    command: "levelset dev",
    port: 0,
    kubeconfig,
    cwd: directory,
    clock: realClock,
    logger: silentLogger,
  });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const why = (...args: readonly string[]): Promise<string> => runCommand(directory, "why", ...args);

describe("levelset why", () => {
  test("asks the embedded server of this directory, and says so", async () => {
    expect(await why("ns/default")).toBe(`${KUBECONFIG_PATH}, ${server.url}\nNamespace default   ready\n`);
    expect(JSON.parse(await why("namespaces", "default", "-o", "json"))).toMatchObject({
      kind: "Namespace",
      state: "ready",
    });
  });

  test.each([
    [
      ["cm/a"],
      'there is no ConfigMap "a" in the namespace default',
      "check the name, or name another namespace with -n",
    ],
    [["node/a"], 'there is no Node "a"', "check the name"],
    [["podds/a"], 'there is no kind "podds"', "did you mean pod?"],
    [
      ["cluster/a"],
      'there is no kind "cluster" in the cluster, and no fleet is known here',
      expect.stringContaining("--fleet"),
    ],
    [["pod"], '"pod" does not name an object', "write KIND/NAME, such as deployment/shop, and the namespace with -n"],
    [["pod/a/b"], '"pod/a/b" does not name an object', expect.any(String)],
    [["pod", "a", "b"], '"pod a b" does not name an object', expect.any(String)],
    [["pod/a", "--token-file", "t"], "--token-file without --url: nobody is shown it", undefined],
    [["pod/a", "--url", "localhost"], '"localhost" is not an address', "write one like http://127.0.0.1:8080"],
  ])("refuses %j with a hint", async (args, message, hint) => {
    await expect(why(...args)).rejects.toMatchObject({
      name: "InputError",
      message: expect.stringContaining(message),
      hint,
    });
  });

  test("goes on without a process that does not tell its runs, and says so once", async () => {
    const said = await why("ns/default", "--url", server.url.replace("https", "http"));
    expect(said).toMatch(/\nhttp:\S+ does not tell its runs: .*\nNamespace default {3}ready\n$/u);
  });

  test("says what to do when the server of this directory is gone", async () => {
    await server[Symbol.asyncDispose]();
    const cluster = `{server: '${server.url}', insecure-skip-tls-verify: true}`;
    const left = `{current-context: a, contexts: [{name: a, context: {cluster: a}}], clusters: [{name: a, cluster: ${cluster}}]}`;
    await writeFile(join(directory, KUBECONFIG_PATH), left);
    await expect(why("ns/default")).rejects.toMatchObject({
      message: `levelset dev is not running in this directory: no answer from ${server.url}, which ${KUBECONFIG_PATH} names`,
      hint: "start it again, or name a cluster with --kubeconfig, --context or KUBECONFIG",
    });
  });
});
