import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { VirtualClock } from "@levelset/core/testing";
import type { CredentialProvider } from "../index.ts";
import { parseKubeconfig } from "../index.ts";

let directory = "";
let clock = new VirtualClock();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-exec-"));
  clock = new VirtualClock(Date.UTC(2026, 0));
});
afterEach(() => rm(directory, { recursive: true }));

const VERSION = "client.authentication.k8s.io/v1";

/** Credentials from a plugin that runs `script` and counts its runs. */
async function plugin(script: string, extra = ""): Promise<CredentialProvider> {
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

/** Returns a script that prints a token with this lifetime. */
function issue(seconds: number): string {
  const expirationTimestamp = new Date(clock.now() + seconds * 1_000).toISOString();
  const status = { token: "TOKEN", expirationTimestamp };
  return `echo '${JSON.stringify({ kind: "ExecCredential", apiVersion: VERSION, status })}'`;
}

test("a plugin runs once for concurrent requests, and again only shortly before its credential expires", async () => {
  const credentials = await plugin(issue(600));
  const all = await Promise.all(Array.from({ length: 20 }, () => credentials.current()));
  expect(all).toEqual(Array.from({ length: 20 }, () => ({ token: "TOKEN" })));
  await clock.advance(539_000);
  await credentials.current();
  expect(await runs()).toBe(1);
  await clock.advance(2_000);
  // Still valid: requests do not wait for the single renewal that starts now.
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

test("a credential that expired while the machine was suspended is renewed", async () => {
  const credentials = await plugin(issue(600));
  await credentials.current();
  clock.suspend(600_000);
  await credentials.current();
  expect(await runs()).toBe(2);
});

test("a rejected credential is renewed", async () => {
  const credentials = await plugin(issue(600));
  credentials.invalidate(await credentials.current());
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
  ["echo nonsense", "did not print JSON"],
  ["echo '{}'", "did not print an ExecCredential"],
  [`echo '{"kind":"ExecCredential","apiVersion":"v9"}'`, "printed apiVersion v9"],
  [
    `echo '{"kind":"ExecCredential","apiVersion":"${VERSION}","status":{}}'`,
    "returned neither a token nor a certificate",
  ],
  [
    `echo '{"kind":"ExecCredential","apiVersion":"${VERSION}","status":{"clientKeyData":"k"}}'`,
    "returned a certificate without a key, or a key without a certificate",
  ],
])("a misbehaving plugin results in one clear error (%#)", async (script, message) => {
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
