import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "@levelset/core";
import { inClusterAccess, loadKubeconfig, parseKubeconfig } from "./index.ts";

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-kubeconfig-"));
});
afterAll(() => rm(directory, { recursive: true }));

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function config(user: string, cluster = ""): string {
  return `
current-context: dev
contexts:
- {name: dev, context: {cluster: c, user: u, namespace: team}}
- {name: other, context: {cluster: c}}
- {name: broken, context: {cluster: nowhere}}
clusters:
- name: c
  cluster: {server: "https://127.0.0.1:6443", ${cluster}}
users:
- name: u
  user: ${user}
`;
}

describe("a kubeconfig", () => {
  test("gives server, namespace, certificate authority and client certificate of its current context", async () => {
    const text = config(
      `{client-certificate-data: ${base64("CERT")}, client-key-data: ${base64("KEY")}}`,
      `certificate-authority-data: ${base64("CA")}`,
    );
    expect(await parseKubeconfig(text, { path: "f" })).toMatchObject({
      server: "https://127.0.0.1:6443",
      namespace: "team",
      ca: "CA",
      certificate: "CERT",
      key: "KEY",
      skipVerification: false,
    });
  });

  test("gives another context when asked, with the default namespace if it names none", async () => {
    const access = await parseKubeconfig(config("{token: t}"), { path: "f", context: "other" });
    expect(access).toMatchObject({ namespace: "default", context: "other" });
    expect(access.token).toBeUndefined();
  });

  test("reads a token file anew each time, so that a rotated token is used", async () => {
    await writeFile(join(directory, "token"), "one\n");
    const path = join(directory, "config");
    await writeFile(path, config("{tokenFile: token}"));
    const access = await loadKubeconfig(path);
    expect(await access.token?.()).toBe("one");
    await writeFile(join(directory, "token"), "two");
    expect(await access.token?.()).toBe("two");
  });

  test.each([
    ["[1, 2]", "not a kubeconfig"],
    ["a: [", "not YAML"],
    ["clusters: []", "no current-context is set"],
    ["current-context: x", 'there is no context "x"'],
    [config("{exec: {command: x}}"), "credentials by exec are not supported yet"],
    [config(`{client-certificate-data: ${base64("C")}}`), "a client certificate needs its key"],
    [
      config("{client-certificate: missing.pem, client-key: k}"),
      "client-certificate names missing.pem, which cannot be read",
    ],
  ])("that cannot be used gives one clear error (%#)", async (text, message) => {
    const attempt = parseKubeconfig(text, { path: join(directory, "f") });
    await expect(attempt).rejects.toBeInstanceOf(InputError);
    await expect(attempt).rejects.toThrow(message);
  });

  test("that is broken never shows its secrets in the error", async () => {
    await expect(parseKubeconfig("token: s3cret\n  : [", { path: "f" })).rejects.not.toThrow("s3cret");
  });

  test("that is missing is named, with a hint", async () => {
    await expect(loadKubeconfig(join(directory, "absent"))).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot read kubeconfig .*absent: no such file/u),
      hint: "name a file with --kubeconfig, or set KUBECONFIG",
    });
  });

  test("names a context whose cluster is not there", async () => {
    await expect(parseKubeconfig(config("{token: t}"), { path: "f", context: "broken" })).rejects.toThrow(
      'context broken names the cluster "nowhere", which is not there',
    );
  });
});

describe("inside a cluster", () => {
  test("the pod's service account is used, and its token is read anew each time", async () => {
    for (const [name, text] of Object.entries({ namespace: "ns", "ca.crt": "CA", token: "one" })) {
      await writeFile(join(directory, name), text);
    }
    const access = await inClusterAccess({ host: "fd00::1", port: "443", directory });
    expect(access).toMatchObject({ server: "https://[fd00::1]:443", namespace: "ns", ca: "CA" });
    await writeFile(join(directory, "token"), "two");
    expect(await access.token?.()).toBe("two");
  });

  test("a pod without a service account gets a clear error", async () => {
    const attempt = inClusterAccess({ host: "10.0.0.1", port: "443", directory: join(directory, "none") });
    await expect(attempt).rejects.toThrow("running in a cluster, but");
  });
});
