import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { crdOf, kind, s } from "@levelset/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";
import type { ListeningServer } from "./listen.ts";

const CLOUD_SDK = "/usr/lib/google-cloud-sdk/bin";
/** kubectl before 1.29 reads OpenAPI v2 in protobuf, which this server does not have. */
const OLDEST_MINOR = 29;

const Widget = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Widget",
  shortNames: ["wd"],
  columns: { Replicas: ".spec.replicas" },
  spec: s.object({ replicas: s.int32().default(1).describe("How many of them."), note: s.string().optional() }),
});

const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), "levelset-kubectl-"));
const server = createApiServer();
let listening: ListeningServer;

function found(): readonly string[] {
  const versioned = existsSync(CLOUD_SDK)
    ? readdirSync(CLOUD_SDK).filter((name) => Number(/^kubectl\.1\.(\d+)$/u.exec(name)?.[1] ?? 0) >= OLDEST_MINOR)
    : [];
  const paths = versioned.map((name) => join(CLOUD_SDK, name));
  const onPath = (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, "kubectl"));
  const fallback = onPath.filter((path) => existsSync(path)).slice(0, 1);
  return [...(paths.length > 0 ? paths : fallback), ...built()];
}

/** Binaries built by `tools/envtest`, newer than those of most machines. */
function built(): readonly string[] {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "levelset/envtest");
  const releases = existsSync(cache) ? readdirSync(cache) : [];
  return releases.map((release) => join(cache, release, "bin/kubectl")).filter((path) => existsSync(path));
}

// The newest one in the quick run, which is repeated for each change; all of them in the full run.
const binaries = process.env["LEVELSET_TEST_SUITE"] === "full" ? found() : found().slice(-1);
// oxlint-disable-next-line vitest/no-conditional-tests -- a file without tests would fail where there is no kubectl
if (binaries.length === 0) {
  // oxlint-disable-next-line no-console -- a skipped suite must be seen
  console.warn("kubectl not found: its tests are skipped. Run `npm run envtest` to build it (needs Go).");
  // oxlint-disable-next-line vitest/no-disabled-tests -- counted as skipped, which the full run in CI does not allow
  test.skip("needs kubectl", () => {});
}

beforeAll(async () => {
  listening = await listen(server);
  writeFileSync(join(dir, "config"), listening.kubeconfig());
  writeFileSync(join(dir, "crd.json"), JSON.stringify(crdOf(Widget)));
  writeFileSync(join(dir, "editor.sh"), '#!/bin/sh\nsed -i "s/replicas: .*/replicas: 7/" "$1"\n', { mode: 0o755 });
});

afterAll(async () => {
  await listening.close();
  server.close();
  rmSync(dir, { recursive: true });
});

const env = { HOME: dir, PATH: "/usr/bin:/bin", KUBECONFIG: join(dir, "config"), EDITOR: join(dir, "editor.sh") };

describe.each(binaries)("%s", (kubectl) => {
  const namespace = `test-${kubectl.replaceAll(/\D/gu, "")}`;
  const widgets = `/apis/examples.levelset.dev/v1/namespaces/${namespace}/widgets`;
  const call = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await run(kubectl, [...args, "-n", namespace], { env, timeout: 60_000 });
    return stdout + stderr;
  };
  const apply = async (name: string, body: object): Promise<string> => {
    const file = join(dir, name);
    writeFileSync(file, JSON.stringify(body));
    return call("apply", "-f", file);
  };
  const widget = (name: string, replicas: number, metadata: object = {}): object => ({
    apiVersion: "examples.levelset.dev/v1",
    kind: "Widget",
    metadata: { name, namespace, ...metadata },
    spec: { replicas },
  });

  beforeAll(async () => {
    await run(kubectl, ["apply", "-f", join(dir, "crd.json")], { env });
    await apply("ns.json", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await apply("base.json", widget("base", 1));
  });

  test("wait observes that a CRD is established, and api-resources lists it", async () => {
    expect(await call("wait", "--for=condition=established", "crd/widgets.examples.levelset.dev")).toContain(
      "condition met",
    );
    expect(await call("api-resources")).toMatch(/widgets +wd +examples.levelset.dev\/v1 +true +Widget/u);
  });

  test("apply creates, updates and leaves unchanged; get -o wide shows the declared columns", async () => {
    expect(await apply("a.json", widget("a", 2))).toBe("widget.examples.levelset.dev/a created\n");
    expect(await apply("a.json", widget("a", 3))).toBe("widget.examples.levelset.dev/a configured\n");
    expect(await apply("a.json", widget("a", 3))).toBe("widget.examples.levelset.dev/a unchanged\n");
    expect(await call("get", "wd", "a", "-o", "wide")).toMatch(/NAME +READY +REPLICAS +MESSAGE +AGE\na +3 +\d+s/u);
  });

  test("apply rejects an unknown field", async () => {
    await expect(apply("bad.json", { ...widget("bad", 1), spec: { replica: 1 } })).rejects.toThrow(
      'strict decoding error: unknown field "spec.replica"',
    );
  });

  test("built-in kinds: apply, strategic patch, label, get", async () => {
    const config = (data: object): object => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "c", namespace },
      data,
    });
    await apply("c.json", config({ a: "1", b: "2" }));
    await apply("c.json", config({ a: "1", c: "3" }));
    await call("patch", "cm", "c", "-p", '{"data":{"d":"4"}}');
    await call("label", "cm", "c", "tier=x");
    expect(await call("get", "cm", "-l", "tier=x", "-o", "jsonpath={.items[0].data}")).toBe(
      '{"a":"1","c":"3","d":"4"}',
    );
    expect(await call("get", "cm")).toMatch(/NAME +DATA +AGE\nc +3 +\d+s/u);
  });

  test("create creates a ConfigMap, a Namespace and a Secret, from 1.32 on in protobuf", async () => {
    const other = `${namespace}-made`;
    expect(await call("create", "cm", "x", "--from-literal=a=b")).toBe("configmap/x created\n");
    expect(await call("create", "ns", other)).toBe(`namespace/${other} created\n`);
    expect(await call("create", "secret", "generic", "s", "--from-literal=user=ü")).toBe("secret/s created\n");
    expect(JSON.parse(await call("get", "cm", "x", "-o", "json"))).toMatchObject({ data: { a: "b" } });
    expect(JSON.parse(await call("get", "ns", other, "-o", "json"))).toMatchObject({ status: { phase: "Active" } });
    expect(JSON.parse(await call("get", "secret", "s", "-o", "json"))).toMatchObject({
      data: { user: "w7w=" },
      type: "Opaque",
    });
    await expect(call("create", "cm", "x")).rejects.toThrow('configmaps "x" already exists');
  });

  test("replace accepts a pod from its manifest and from get", async () => {
    const manifest = { apiVersion: "v1", kind: "Pod", metadata: { name: "r", namespace } };
    const file = join(dir, "r.json");
    writeFileSync(file, JSON.stringify({ ...manifest, spec: { containers: [{ name: "main", image: "nginx" }] } }));
    await call("create", "-f", file);
    expect(await call("replace", "-f", file)).toBe("pod/r replaced\n");
    writeFileSync(file, await call("get", "pod", "r", "-o", "json"));
    expect(await call("replace", "-f", file)).toBe("pod/r replaced\n");
  });

  test("patch and label of a custom resource", async () => {
    await apply("p.json", widget("p", 1));
    await call("patch", "wd", "p", "--type=merge", "-p", '{"spec":{"note":"hello"}}');
    await call("patch", "wd", "p", "--type=json", "-p", '[{"op":"replace","path":"/spec/replicas","value":9}]');
    await call("label", "wd", "p", "tier=x");
    const path = "jsonpath={.spec.note} {.spec.replicas} {.metadata.labels.tier} {.metadata.generation}";
    expect(await call("get", "wd", "p", "-o", path)).toBe("hello 9 x 3");
  });

  test("edit", async () => {
    await apply("e.json", widget("e", 1));
    expect(await call("edit", "wd", "e")).toContain("widget.examples.levelset.dev/e edited");
    expect(await call("get", "wd", "e", "-o", "jsonpath={.spec.replicas}")).toBe("7");
  });

  test("explain shows fields, types and descriptions", async () => {
    const text = await call("explain", "widget.spec");
    expect(text).toMatch(/replicas\t<integer>\n\s+How many of them\./u);
    expect(text).toMatch(/note\t<string>/u);
  });

  test("get -w shows rows as events arrive", async () => {
    const child = spawn(kubectl, ["get", "wd", "-w", "-n", namespace], { env });
    let seen = "";
    const first = once(child.stdout, "data");
    child.stdout.on("data", (chunk: Buffer) => (seen += chunk.toString()));
    await first;
    await apply("live.json", widget("live", 4));
    while (!/^live +4/mu.test(seen)) await once(child.stdout, "data");
    child.kill();
    await once(child, "close");
    expect(seen).toMatch(/^NAME +READY +REPLICAS/u);
  });

  test("wait observes a condition that is set while it waits", async () => {
    await apply("w.json", widget("w", 1));
    const waiting = call("wait", "--for=condition=Ready", "wd/w", "--timeout=60s");
    const ready = {
      type: "Ready",
      status: "True",
      reason: "R",
      message: "m",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    };
    const patch = JSON.stringify({ status: { conditions: [ready] } });
    await call("patch", "wd", "w", "--subresource=status", "--type=merge", "-p", patch);
    expect(await waiting).toContain("condition met");
  });

  test("delete waits for a finalizer", async () => {
    await apply("f.json", widget("f", 1, { finalizers: ["examples.levelset.dev/x"] }));
    const deleting = call("delete", "wd", "f", "--timeout=60s");
    await call("wait", "--for=jsonpath={.metadata.deletionTimestamp}", "wd/f", "--timeout=60s");
    const headers = { "content-type": "application/merge-patch+json" };
    const request = new Request(`http://cluster.invalid${widgets}/f`, {
      method: "PATCH",
      headers,
      body: '{"metadata":{"finalizers":null}}',
    });
    expect((await server.fetch(request)).status).toBe(200);
    expect(await deleting).toContain('"f" deleted');
  });

  test("delete of a namespace deletes its content", async () => {
    await apply("ns2.json", { apiVersion: "v1", kind: "Namespace", metadata: { name: `${namespace}-2` } });
    expect(await call("delete", "ns", `${namespace}-2`)).toContain("deleted");
    expect(await call("get", "ns")).not.toContain(`${namespace}-2`);
  });
});
