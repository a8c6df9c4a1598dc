import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { VirtualClock } from "@levelset/core/testing";
import type { Credentials } from "./index.ts";
import { parseKubeconfig } from "./index.ts";

let directory = "";
let clock = new VirtualClock();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-exec-"));
  clock = new VirtualClock(Date.UTC(2026, 0));
});
afterEach(() => rm(directory, { recursive: true }));

const VERSION = "client.authentication.k8s.io/v1";

/** Credentials from a plugin that runs `script` and counts its runs. */
async function plugin(script: string, extra = ""): Promise<Credentials> {
  const path = join(directory, "plugin");
  await writeFile(path, `#!/bin/sh\necho run >> ${directory}/runs\n${script}\n`);
  await chmod(path, 0o755);
  const text = `
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {exec: {apiVersion: ${VERSION}, command: ./plugin, ${extra}}}}]
`;
  const env = { PATH: "/usr/bin:/bin" };
  return (await parseKubeconfig(text, { path: join(directory, "config"), clock, env })).credentials;
}

const runs = async (): Promise<number> => (await readFile(join(directory, "runs"), "utf8")).trim().split("\n").length;

/** A script that answers with a token that lives as long as asked. */
function issue(seconds: number): string {
  const expirationTimestamp = new Date(clock.now() + seconds * 1_000).toISOString();
  const status = { token: "TOKEN", expirationTimestamp };
  return `echo '${JSON.stringify({ kind: "ExecCredential", apiVersion: VERSION, status })}'`;
}

test("a plugin runs once for all who wait, and again only shortly before its credential expires", async () => {
  const credentials = await plugin(issue(600));
  const all = await Promise.all(Array.from({ length: 20 }, () => credentials.current()));
  expect(all).toEqual(Array.from({ length: 20 }, () => ({ token: "TOKEN" })));
  await clock.advance(539_000);
  await credentials.current();
  expect(await runs()).toBe(1);
  await clock.advance(2_000);
  // Still good: nobody waits for the renewal that starts now, and only one does.
  await Promise.all([credentials.current(), credentials.current()]);
  await expect.poll(runs).toBe(2);
});

test("a wall clock that is stepped back does not make a credential last longer", async () => {
  const credentials = await plugin(issue(600));
  await credentials.current();
  clock.stepWall(-3_600_000);
  await clock.advance(600_000);
  await credentials.current();
  expect(await runs()).toBe(2);
});

test("a credential that expired while the machine was suspended is asked for anew", async () => {
  const credentials = await plugin(issue(600));
  await credentials.current();
  clock.suspend(600_000);
  await credentials.current();
  expect(await runs()).toBe(2);
});

test("a refused credential is asked for anew", async () => {
  const credentials = await plugin(issue(600));
  credentials.reject(await credentials.current());
  await credentials.current();
  expect(await runs()).toBe(2);
});

test("a plugin sees the environment and the arguments of the kubeconfig, and the cluster if it may", async () => {
  const extra = "args: [one], env: [{name: WHO, value: me}], provideClusterInfo: true";
  const credentials = await plugin(
    `echo "{\\"kind\\":\\"ExecCredential\\",\\"apiVersion\\":\\"${VERSION}\\",\\"status\\":{\\"token\\":\\"$WHO-$1\\"}}"
echo "$KUBERNETES_EXEC_INFO" > ${directory}/info`,
    extra,
  );
  expect(await credentials.current()).toEqual({ token: "me-one" });
  expect(JSON.parse(await readFile(join(directory, "info"), "utf8"))).toMatchObject({
    kind: "ExecCredential",
    spec: { interactive: false, cluster: { server: "https://127.0.0.1:1" } },
  });
});

test.each([
  ["echo oops >&2; exit 3", "failed with code 3: oops"],
  ["echo nonsense", "did not answer with JSON"],
  ["echo '{}'", "did not answer with an ExecCredential"],
  [`echo '{"kind":"ExecCredential","apiVersion":"v9"}'`, "answered in version v9"],
  [`echo '{"kind":"ExecCredential","apiVersion":"${VERSION}","status":{}}'`, "gave neither a token nor a certificate"],
  [
    `echo '{"kind":"ExecCredential","apiVersion":"${VERSION}","status":{"clientKeyData":"k"}}'`,
    "gave a certificate without key, or a key alone",
  ],
])("a plugin that does not do its part gives one clear error (%#)", async (script, message) => {
  await expect((await plugin(script)).current()).rejects.toThrow(message);
});

test("a plugin that is not installed is named, with the hint of the kubeconfig", async () => {
  const credentials = await plugin("", 'installHint: "get it at the help desk"');
  await rm(join(directory, "plugin"));
  await expect(credentials.current()).rejects.toMatchObject({
    message: expect.stringContaining("is not installed"),
    hint: "get it at the help desk",
  });
});
