import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiServer, listen } from "@levelset/apiserver";
import { InputError } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { inClusterConfig, loadKubeconfig, parseKubeconfig } from "../index.ts";

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

/** Returns a currently valid certificate: the authority of a test server. */
async function someCertificate(): Promise<string> {
  const server = createApiServer();
  const listening = await listen(server);
  await listening.close();
  server.close();
  return listening.ca;
}

describe("a kubeconfig", () => {
  test("provides server, namespace, certificate authority and client certificate of its current context", async () => {
    const certificate = await someCertificate();
    const text = config(
      `{client-certificate-data: ${base64(certificate)}, client-key-data: ${base64("KEY")}}`,
      `certificate-authority-data: ${base64("CA")}`,
    );
    const access = await parseKubeconfig(text, { path: "f" });
    expect(access).toMatchObject({ server: "https://127.0.0.1:6443", namespace: "team", insecureSkipTlsVerify: false });
    expect(await access.ca?.()).toBe("CA");
    expect(await access.credentials.current()).toEqual({ certificate, key: "KEY" });
  });

  test("provides another context by name, with the default namespace if it has none", async () => {
    const access = await parseKubeconfig(config("{token: t}"), { path: "f", context: "other" });
    expect(access).toMatchObject({ namespace: "default", context: "other" });
    expect(await access.credentials.current()).toEqual({});
  });

  test.each([
    ["https://127.0.0.2:6443", false],
    ["https://[::1]:6443", false],
    ["https://127.example.com:6443", true],
  ])("requests compressed responses unless the server is on loopback: %s", async (server, compression) => {
    const text = config("{token: t}").replace("https://127.0.0.1:6443", server);
    expect(await parseKubeconfig(text, { path: "f" })).toMatchObject({ server, compression });
  });

  test("with an expired client certificate is rejected with the expiry date", async () => {
    const certificate = await someCertificate();
    const text = config(`{client-certificate-data: ${base64(certificate)}, client-key-data: ${base64("KEY")}}`);
    const clock = new VirtualClock(Date.UTC(2200, 0));
    await expect(parseKubeconfig(text, { path: "f", clock })).rejects.toMatchObject({
      message: expect.stringMatching(/^kubeconfig f: the client certificate of context dev expired on \d{4}-/u),
      hint: "have a new one issued, or choose another context with --context NAME",
    });
  });

  test("in several files is merged: the first entry of each name wins, missing files are skipped", async () => {
    const [one, two] = [join(directory, "one"), join(directory, "sub", "two")];
    await mkdir(join(directory, "sub"));
    await writeFile(join(directory, "sub", "t"), "from-sub");
    await writeFile(one, "contexts:\n- {name: dev, context: {cluster: c, user: u, namespace: first}}\n");
    await writeFile(two, config("{tokenFile: t}"));
    const access = await loadKubeconfig([join(directory, "gone"), one, two]);
    expect(access).toMatchObject({ context: "dev", namespace: "first", server: "https://127.0.0.1:6443" });
    expect(await access.credentials.current()).toEqual({ token: "from-sub" });
    await expect(loadKubeconfig([join(directory, "gone"), join(directory, "gone2")])).rejects.toThrow("none of the");
  });

  test("reads a token file again after a while, and at once when its token was rejected", async () => {
    await writeFile(join(directory, "token"), "one\n");
    const path = join(directory, "config");
    await writeFile(path, config("{tokenFile: token}"));
    const clock = new VirtualClock();
    const { credentials } = await loadKubeconfig(path, { clock });
    const token = async (): Promise<unknown> => (await credentials.current()).token;
    expect(await token()).toBe("one");
    await writeFile(join(directory, "token"), "two");
    expect(await token()).toBe("one");
    await clock.advance(60_000);
    expect(await token()).toBe("two");
    await writeFile(join(directory, "token"), "three");
    credentials.invalidate({ token: "two" });
    expect(await token()).toBe("three");
  });

  test.each([
    ["[1, 2]", "not a kubeconfig"],
    ["a: [", "not YAML"],
    ["clusters: []", "no current-context is set"],
    ["current-context: x", 'there is no context "x"'],
    [config("{exec: {command: x}}"), 'exec has the apiVersion "", but must be one of'],
    [config("{exec: {apiVersion: client.authentication.k8s.io/v1}}"), "exec has no command"],
    [config("{auth-provider: {name: x}}"), "credentials by auth-provider are not supported"],
    [config("{client-certificate-data: QQ==, client-key-data: QQ==}"), "the client certificate cannot be read as PEM"],
    [config("{}", "proxy-url: socks5://localhost"), "a proxy-url that is neither http nor https"],
    [config("{}", "proxy-url: 'http://'"), "a proxy-url that is neither http nor https"],
    [config("{}").replace("https://127.0.0.1:6443", "localhost:6443"), "cluster c has no usable server address"],
    [config("{}").replace("https://127.0.0.1:6443", "https://"), "cluster c has no usable server address"],
    [config(`{client-certificate-data: ${base64("C")}}`), "a client certificate needs its key"],
    [
      config("{client-certificate: missing.pem, client-key: k}"),
      "client-certificate names missing.pem, which cannot be read",
    ],
  ])("that is invalid results in one clear error (%#)", async (text, message) => {
    const attempt = parseKubeconfig(text, { path: join(directory, "f") });
    await expect(attempt).rejects.toBeInstanceOf(InputError);
    await expect(attempt).rejects.toThrow(message);
  });

  test("that is not YAML does not leak secrets in the error", async () => {
    await expect(parseKubeconfig("token: s3cret\n  : [", { path: "f" })).rejects.not.toThrow("s3cret");
  });

  test("that is missing is reported with a hint", async () => {
    await expect(loadKubeconfig(join(directory, "absent"))).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot read kubeconfig .*absent: no such file/u),
      hint: "name a file with --kubeconfig, or set KUBECONFIG",
    });
  });

  test("whose context refers to a missing cluster is rejected", async () => {
    await expect(parseKubeconfig(config("{token: t}"), { path: "f", context: "broken" })).rejects.toThrow(
      'context broken names the cluster "nowhere", which does not exist',
    );
  });
});

describe("inside a cluster", () => {
  test("the pod's service account is used, and its token and authority are read again as they are replaced", async () => {
    for (const [name, text] of Object.entries({ namespace: "ns", "ca.crt": "CA", token: "one" })) {
      await writeFile(join(directory, name), text);
    }
    const clock = new VirtualClock();
    const access = await inClusterConfig({ host: "fd00::1", port: "443", directory, clock });
    expect(access).toMatchObject({ server: "https://[fd00::1]:443", namespace: "ns" });
    await writeFile(join(directory, "token"), "two");
    await writeFile(join(directory, "ca.crt"), "CA2");
    await clock.advance(60_000);
    expect(await access.credentials.current()).toEqual({ token: "two" });
    expect(await access.ca?.()).toBe("CA2");
  });

  test("a pod without a service account gets a clear error", async () => {
    const attempt = inClusterConfig({ host: "10.0.0.1", port: "443", directory: join(directory, "none") });
    await expect(attempt).rejects.toThrow("running in a cluster, but");
  });
});
