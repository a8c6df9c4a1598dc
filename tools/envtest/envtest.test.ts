import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";
import { findAssets } from "./assets.ts";
import { startCluster } from "./cluster.ts";
import { kubeconfigText } from "./credentials.ts";
import { Daemon } from "./daemon.ts";
import { startWatchdog } from "./watchdog.ts";
import { acquireLock } from "./lock.ts";
import { goModFor, goSatisfies, parseKubernetesModule, versionFlags } from "./kubernetes-module.ts";
import { freePorts } from "./port.ts";
import { NotReadyError, untilReady } from "./until-ready.ts";
import type { Probe } from "./until-ready.ts";

const LINUX = { platform: "linux", arch: "x64" };
const ALL = ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"];

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "envtest-test-"));
});
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

async function directoryWith(...names: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(scratch, "bin-"));
  await Promise.all(names.map((name) => writeFile(join(directory, name), "", { mode: 0o755 })));
  return directory;
}

async function cacheWith(...names: readonly string[]): Promise<{ cache: string; bin: string }> {
  const cache = await mkdtemp(join(scratch, "cache-"));
  const bin = join(cache, "levelset", "envtest", "1.36.3-linux-amd64", "bin");
  await mkdir(bin, { recursive: true });
  await Promise.all(names.map((name) => writeFile(join(bin, name), "", { mode: 0o755 })));
  return { cache, bin };
}

async function idle(name: string): Promise<Daemon> {
  const logFile = join(scratch, `${name}.log`);
  return await Daemon.start({ name, command: process.execPath, args: ["-e", "setInterval(() => {}, 1e6)"], logFile });
}

function asleep(): Promise<Probe> {
  return Promise.resolve({ kind: "waiting", reason: "asleep" });
}

describe("the search for the binaries", () => {
  test("KUBEBUILDER_ASSETS takes precedence over a complete cache", async () => {
    const named = await directoryWith("etcd", "kube-apiserver");
    const { cache } = await cacheWith(...ALL);
    const assets = await findAssets({ env: { KUBEBUILDER_ASSETS: named, XDG_CACHE_HOME: cache }, machine: LINUX });
    expect(assets).toEqual({
      kind: "found",
      directory: named,
      etcd: join(named, "etcd"),
      apiserver: join(named, "kube-apiserver"),
    });
  });

  test("KUBEBUILDER_ASSETS may contain the optional binaries", async () => {
    const named = await directoryWith(...ALL);
    const assets = await findAssets({ env: { KUBEBUILDER_ASSETS: named } });
    expect(assets).toMatchObject({
      controllerManager: join(named, "kube-controller-manager"),
      kubectl: join(named, "kubectl"),
    });
  });

  test("an incomplete KUBEBUILDER_ASSETS is an error that names the missing binaries; the cache is not used", async () => {
    const { cache } = await cacheWith(...ALL);
    const named = await directoryWith("etcd");
    const env = { KUBEBUILDER_ASSETS: named, XDG_CACHE_HOME: cache };
    await expect(findAssets({ env, machine: LINUX })).rejects.toThrow(`${named}, which lacks kube-apiserver as`);
    const nowhere = { ...env, KUBEBUILDER_ASSETS: join(scratch, "nowhere") };
    await expect(findAssets({ env: nowhere, machine: LINUX })).rejects.toThrow("lacks etcd and kube-apiserver");
  });

  test("a file that is not executable counts as missing", async () => {
    const named = await directoryWith("kube-apiserver");
    await writeFile(join(named, "etcd"), "", { mode: 0o644 });
    await expect(findAssets({ env: { KUBEBUILDER_ASSETS: named } })).rejects.toThrow("lacks etcd as");
  });

  test("a complete cache is found, with its version", async () => {
    const { cache, bin } = await cacheWith(...ALL);
    const assets = await findAssets({ env: { KUBEBUILDER_ASSETS: "", XDG_CACHE_HOME: cache }, machine: LINUX });
    expect(assets).toMatchObject({ kind: "found", directory: bin, version: "v1.36.3", kubectl: join(bin, "kubectl") });
  });

  test("the cache is under the home directory unless XDG_CACHE_HOME is an absolute path", async () => {
    const assets = await findAssets({ env: { HOME: "/nowhere/home", XDG_CACHE_HOME: "relative" }, machine: LINUX });
    const bin = "/nowhere/home/.cache/levelset/envtest/1.36.3-linux-amd64/bin";
    expect(assets).toMatchObject({ kind: "absent", line: expect.stringContaining(bin) });
  });

  test("an incomplete cache counts as missing; the message names the missing binaries and a fix", async () => {
    const { cache } = await cacheWith("etcd", "kube-apiserver", "kubectl");
    const assets = await findAssets({ env: { XDG_CACHE_HOME: cache }, machine: LINUX });
    expect(assets).toMatchObject({ kind: "absent", line: expect.stringContaining("lacks kube-controller-manager;") });
    expect(assets).toMatchObject({ line: expect.stringContaining("npm run envtest") });
  });

  test("an unsupported platform and an environment without a home are reported", async () => {
    const windows = await findAssets({ env: { HOME: "/home/x" }, machine: { platform: "win32", arch: "x64" } });
    expect(windows).toMatchObject({ kind: "absent", line: expect.stringContaining("win32") });
    const homeless = await findAssets({ env: {}, machine: LINUX });
    expect(homeless).toMatchObject({ kind: "absent", line: expect.stringContaining("XDG_CACHE_HOME") });
  });
});

describe("the module to build", () => {
  const json = JSON.stringify({
    Go: "1.26.0",
    GoDebug: [{ Key: "default", Value: "go1.26" }],
    Require: [{ Path: "go.etcd.io/etcd/server/v3", Version: "v3.6.8", Indirect: true }],
    Replace: [
      { Old: { Path: "k8s.io/api" }, New: { Path: "./staging/src/k8s.io/api" } },
      { Old: { Path: "example.com/fork" }, New: { Path: "example.com/other", Version: "v1.0.0" } },
    ],
  });

  test("staging modules have the version of the release; other replacements are dropped", () => {
    const text = goModFor(parseKubernetesModule("v1.36.3", json));
    expect(text).toContain("replace k8s.io/api => k8s.io/api v0.36.3\n");
    expect(text).toContain("require k8s.io/kubernetes v1.36.3\n");
    expect(text).toContain("require go.etcd.io/etcd/server/v3 v3.6.8\n");
    expect(text).toContain("godebug default=go1.26\n");
    expect(text).not.toContain("example.com");
  });

  test("a go.mod without etcd or Go version is rejected", () => {
    expect(() => parseKubernetesModule("v1.36.3", JSON.stringify({ Go: "1.26.0" }))).toThrow("no etcd version");
    expect(() => parseKubernetesModule("v1.36.3", "{}")).toThrow("no Go version");
  });

  test("the version is stamped in both places", () => {
    const flags = versionFlags({ version: "v1.36.3", builtAt: "2026-01-01T00:00:00Z" });
    expect(flags).toContain("-X k8s.io/component-base/version.gitVersion=v1.36.3");
    expect(flags).toContain("-X k8s.io/client-go/pkg/version.gitMinor=36");
  });

  test.each([
    ["go1.26.8", "1.26.0", true],
    ["go1.26", "1.26.0", true],
    ["go1.27rc1", "1.26.0", true],
    ["go1.9.7", "1.26.0", false],
    ["go1.25.9", "1.26.0", false],
  ])("%s for a module that wants %s: %s", (have, want, result) => {
    expect(goSatisfies(have, want)).toBe(result);
  });
});

describe("the lock", () => {
  test("a second process waits until the first releases the lock", async () => {
    const path = join(scratch, "a.lock");
    const first = await acquireLock({ path });
    const waiting = Promise.withResolvers<string>();
    const second = acquireLock({ path, onWait: waiting.resolve });
    expect(await waiting.promise).toContain(String(process.pid));
    await first.release();
    await (await second).release();
    await expect(access(path)).rejects.toThrow("ENOENT");
  });

  test("waiting ends when the signal aborts", async () => {
    const path = join(scratch, "b.lock");
    const first = await acquireLock({ path });
    const controller = new AbortController();
    const second = acquireLock({ path, signal: controller.signal, onWait: () => controller.abort() });
    await expect(second).rejects.toThrow("abort");
    await first.release();
  });

  test("the lock of a dead process, or one that was not touched for a minute, is taken over", async () => {
    const path = join(scratch, "c.lock");
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    await writeFile(path, JSON.stringify({ pid: child.pid, host: hostname() }));
    await (await acquireLock({ path })).release();
    expect(existsSync(path)).toBe(false);

    await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname() }));
    await utimes(path, new Date(0), new Date(0));
    await (await acquireLock({ path })).release();
    expect(existsSync(path)).toBe(false);
  });
});

describe("the command line", () => {
  test("arguments are parsed, and unknown ones are rejected with a hint", () => {
    expect(parseArguments([])).toEqual({ kind: "build" });
    expect(parseArguments(["where"])).toEqual({ kind: "where" });
    expect(parseArguments(["run"])).toEqual({ kind: "run", controllerManager: true });
    expect(parseArguments(["run", "--bare"])).toEqual({ kind: "run", controllerManager: false });
    expect(parseArguments(["run", "--help"])).toEqual({ kind: "help" });
    expect(parseArguments(["toString"])).toMatchObject({ kind: "unknown", line: expect.stringContaining("--help") });
  });

  test.each([
    [["fly"], 2, 'unknown command "fly"; try --help'],
    [["where"], 1, "npm run envtest"],
  ])("%j ends with %i and one line", async (words, code, text) => {
    const ended = Promise.withResolvers<{ code: unknown; stderr: string }>();
    const env = { HOME: scratch, PATH: "" };
    execFile(process.execPath, [join(import.meta.dirname, "main.ts"), ...words], { env }, (error, _, stderr) => {
      ended.resolve({ code: error?.code, stderr });
    });
    const result = await ended.promise;
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(text);
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("processes", () => {
  test("a process that ends while starting fails at once, with its log", async () => {
    const logFile = join(scratch, "failing.log");
    const args = ["-e", "console.error('bind: address already in use'); process.exit(3)"];
    const daemon = await Daemon.start({ name: "failing", command: process.execPath, args, logFile });
    const ready = untilReady({ daemon, needs: [], probe: asleep, deadlineMs: 60_000 });
    const failure: unknown = await ready.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotReadyError);
    expect(failure).toMatchObject({ portTaken: true, message: expect.stringContaining("exit code 3") });
  });

  test("a process that does not become ready fails at the deadline, with the last reason", async () => {
    const daemon = await idle("slow");
    await expect(untilReady({ daemon, needs: [], probe: asleep, deadlineMs: 0 })).rejects.toThrow("(asleep)");
    await daemon.stop();
    expect(daemon.exitMessage).toBe("signal SIGTERM");
  });

  test("a missing program is a one-line error", async () => {
    const start = Daemon.start({ name: "ghost", command: "/nowhere/ghost", args: [], logFile: join(scratch, "g.log") });
    await expect(start).rejects.toThrow("ghost did not start");
  });

  test("ports are different", async () => {
    expect(new Set(await freePorts(5)).size).toBe(5);
  });
});

describe("the guard", () => {
  test("ends processes and removes their directory when its pipe breaks", async () => {
    const directory = await mkdtemp(join(scratch, "guarded-"));
    const guard = await startWatchdog(directory);
    const [ended, kept, other] = [await idle("ended"), await idle("kept"), await idle("other")];
    for (const daemon of [ended, kept, other]) guard.watch(daemon);
    await ended.stop();
    guard.breakPipe();
    await Promise.all([kept.exited, other.exited, guard.ended]);
    expect([kept.exitMessage, other.exitMessage]).toEqual(["signal SIGKILL", "signal SIGKILL"]);
    await expect(access(directory)).rejects.toThrow("ENOENT");
  });

  test("does nothing once released", async () => {
    const directory = await mkdtemp(join(scratch, "released-"));
    const guard = await startWatchdog(directory);
    const daemon = await idle("released");
    guard.watch(daemon);
    await guard.release();
    await access(directory);
    expect(daemon.exitMessage).toBeUndefined();
    await daemon.stop();
  });
});

describe("starting a cluster", () => {
  test("a port taken by another process is replaced, three times at most", async () => {
    const bin = await mkdtemp(join(scratch, "bin-"));
    const [etcd, apiserver] = [join(bin, "etcd"), join(bin, "kube-apiserver")];
    await writeFile(etcd, "#!/bin/sh\necho listen tcp: bind: address already in use\nexit 1\n", { mode: 0o755 });
    await writeFile(apiserver, "#!/bin/sh\nexec tail -f /dev/null\n", { mode: 0o755 });
    const messages: string[] = [];
    const assets = { kind: "found", directory: bin, etcd, apiserver } as const;
    const directory = await mkdtemp(join(scratch, "taken-"));
    const start = startCluster({ assets, directory, log: (message) => messages.push(message) });
    await expect(start).rejects.toThrow("address already in use");
    expect(messages.filter((message) => message.startsWith("port taken"))).toHaveLength(2);
    expect(await readdir(directory)).toEqual([]);
  });

  test("a missing controller manager is a one-line error", async () => {
    const assets = { kind: "found", directory: "/some/bin", etcd: "etcd", apiserver: "kube-apiserver" } as const;
    await expect(startCluster({ assets, controllerManager: true })).rejects.toThrow(
      "/some/bin lacks kube-controller-manager",
    );
  });
});

test("a kubeconfig contains the certificate authority", () => {
  const config: unknown = JSON.parse(kubeconfigText({ url: "https://127.0.0.1:1", ca: "PEM", token: "t" }));
  expect(config).toMatchObject({
    "current-context": "envtest",
    clusters: [{ cluster: { server: "https://127.0.0.1:1", "certificate-authority-data": "UEVN" } }],
    users: [{ user: { token: "t" } }],
  });
});
