import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock, silentLogger } from "@levelset/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../apiserver/embedded-server.ts";
import type { EmbeddedServer } from "../apiserver/embedded-server.ts";
import { KUBECONFIG_PATH } from "../cluster/kubeconfig-file.ts";
import { runCommand } from "../terminal/shell.fixture.ts";

let directory: string;
let server: EmbeddedServer;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-why-"));
  const kubeconfig = KUBECONFIG_PATH;
  server = await startEmbeddedServer({
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
  test("uses the embedded server of this directory and prints its address", async () => {
    expect(await why("ns/default")).toBe(`${KUBECONFIG_PATH}, ${server.url}\nNamespace default   Ready\n`);
    expect(JSON.parse(await why("namespaces", "default", "-o", "json"))).toMatchObject({
      kind: "Namespace",
      state: "ready",
    });
  });

  test.each([
    [
      ["cm/a"],
      'there is no ConfigMap "a" in the namespace default',
      "check the name, or pass another namespace with -n",
    ],
    [["node/a"], 'there is no Node "a"', "check the name"],
    [["podds/a"], 'there is no kind "podds"', "did you mean pod?"],
    [
      ["cluster/a"],
      'there is no kind "cluster" in the cluster, and no fleet is configured',
      expect.stringContaining("--fleet"),
    ],
    [["pod"], '"pod" does not name an object', "write KIND/NAME, e.g. deployment/shop, and the namespace with -n"],
    [["pod/a/b"], '"pod/a/b" does not name an object', expect.any(String)],
    [["pod", "a", "b"], '"pod a b" does not name an object', expect.any(String)],
    [["pod/a", "--token-file", "t"], "--token-file has no effect without --url", undefined],
    [["pod/a", "--url", "localhost"], '"localhost" is not an address', "write a URL such as http://127.0.0.1:8080"],
  ])("refuses %j with a hint", async (args, message, hint) => {
    await expect(why(...args)).rejects.toMatchObject({
      name: "InputError",
      message: expect.stringContaining(message),
      hint,
    });
  });

  test("shows an object with the paused annotation as Paused, and its JSON unchanged", async () => {
    const url = "http://levelset.invalid/api/v1/namespaces/default";
    const body = JSON.stringify({ metadata: { annotations: { "levelset.dev/paused": "true" } } });
    const headers = { "content-type": "application/merge-patch+json" };
    await server.fetch(new Request(url, { method: "PATCH", headers, body }));
    expect(await why("ns/default")).toContain("\nNamespace default   Paused\n");
    expect(JSON.parse(await why("ns/default", "-o", "json"))).toMatchObject({ state: "ready" });
  });

  test("warns once about a process that does not serve its runs", async () => {
    const output = await why("ns/default", "--url", server.url.replace("https", "http"));
    expect(output).toMatch(/\nhttp:\S+ cannot be queried for runs: .*\nNamespace default {3}Ready\n$/u);
  });

  test("fails with a hint if the server of this directory is not running", async () => {
    await server[Symbol.asyncDispose]();
    const cluster = `{server: '${server.url}', insecure-skip-tls-verify: true}`;
    const left = `{current-context: a, contexts: [{name: a, context: {cluster: a}}], clusters: [{name: a, cluster: ${cluster}}]}`;
    await writeFile(join(directory, KUBECONFIG_PATH), left);
    await expect(why("ns/default")).rejects.toMatchObject({
      message: `levelset dev is not running in this directory: cannot reach ${server.url} (from ${KUBECONFIG_PATH})`,
      hint: "start it again, or select a cluster with --kubeconfig, --context or KUBECONFIG",
    });
  });
});
