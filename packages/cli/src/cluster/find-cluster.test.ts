import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { realClock } from "@levelset/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findCluster, isFoundByDefault } from "./find-cluster.ts";
import { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
import type { Shell } from "../terminal/shell.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-access-"));
  await mkdir(join(cwd, ".kube"));
  await mkdir(join(cwd, ".levelset"));
  for (const [file, name] of [
    [".kube/config", "home"],
    ["other", "other"],
  ] as const) {
    await writeFile(join(cwd, file), kubeconfig(name));
  }
});
afterEach(() => rm(cwd, { recursive: true }));

function kubeconfig(name: string): string {
  const clusters = `[{name: a, cluster: {server: 'http://${name}'}}]`;
  return `{current-context: a, contexts: [{name: a, context: {cluster: a}}, {name: b, context: {cluster: a}}], clusters: ${clusters}}`;
}

function shellWith(env: Shell["env"]): Shell {
  const { signal } = new AbortController();
  const discard = (): void => {};
  const output = { stdout: discard, stderr: discard, stdin: async () => "", exitCode: discard };
  return { ...output, clock: realClock, signal: () => signal, cwd, env: { HOME: cwd, ...env } };
}

async function selected(env: Shell["env"], options: { readonly kubeconfig?: string; readonly context?: string } = {}) {
  const { access, foundIn } = await findCluster(shellWith(env), options);
  return [access.server, foundIn];
}

describe("the selected cluster", () => {
  test("is that of ~/.kube/config if no embedded server has run in the directory", async () => {
    expect(await selected({})).toEqual(["http://home", undefined]);
  });

  test("is the embedded server of the directory, unless a cluster is selected explicitly", async () => {
    await writeFile(join(cwd, KUBECONFIG_PATH), kubeconfig("embedded"));
    expect(await selected({})).toEqual(["http://embedded", KUBECONFIG_PATH]);
    expect(await selected({ KUBECONFIG: "other" })).toEqual(["http://other", undefined]);
    expect(await selected({}, { kubeconfig: "other" })).toEqual(["http://other", undefined]);
    expect(await selected({}, { context: "b" })).toEqual(["http://home", undefined]);
  });
});

describe("after the server of the directory has ended", () => {
  const remember = (record: object): Promise<void> =>
    writeFile(join(cwd, ".levelset", "server.json"), JSON.stringify(record));
  const last = { command: "levelset dev", pid: 1, started: "2026-01-01T00:00:00Z", ended: "2026-01-01T01:00:00Z" };

  test("no other cluster is used", async () => {
    await remember(last);
    const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
    for (const env of [{}, pod, { KUBECONFIG: "" }]) {
      await expect(selected(env)).rejects.toMatchObject({
        message: "levelset dev is not running in this directory (it ran here until 2026-01-01T01:00:00Z)",
        hint: "start it again, or select a cluster with --kubeconfig, --context or KUBECONFIG",
      });
    }
  });

  test("an explicitly selected cluster is used", async () => {
    await remember(last);
    expect(await selected({ KUBECONFIG: "other" })).toEqual(["http://other", undefined]);
    expect(await selected({}, { kubeconfig: "other" })).toEqual(["http://other", undefined]);
    expect(await selected({}, { context: "b" })).toEqual(["http://home", undefined]);
  });

  test("a killed server, or one with a damaged record, counts as ended", async () => {
    await remember({ ...last, ended: undefined });
    await expect(selected({})).rejects.toThrow(
      "levelset dev is not running in this directory (it started at 2026-01-01T00:00:00Z)",
    );
    await writeFile(join(cwd, ".levelset", "server.json"), "{");
    await expect(selected({})).rejects.toThrow(/^levelset dev is not running in this directory$/u);
  });

  test("its missing kubeconfig is an error, also as one of several in KUBECONFIG", async () => {
    await remember(last);
    const own = join(cwd, KUBECONFIG_PATH);
    for (const KUBECONFIG of [own, `${own}${delimiter}other`, `other${delimiter}${own}`]) {
      await expect(selected({ KUBECONFIG })).rejects.toThrow("levelset dev is not running in this directory");
    }
    await expect(selected({}, { kubeconfig: KUBECONFIG_PATH })).rejects.toThrow("is not running in this directory");
  });
});

test("an explicit context is read from a kubeconfig, in a pod too", async () => {
  const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  expect(await selected(pod, { context: "b" })).toEqual(["http://home", undefined]);
});

test("a kubeconfig is found by default unless KUBECONFIG names another one", () => {
  const own = join(cwd, KUBECONFIG_PATH);
  const isFound = (env: Shell["env"], kubeconfig: string): boolean => isFoundByDefault(shellWith(env), kubeconfig);
  expect(isFound({}, KUBECONFIG_PATH)).toBe(true);
  expect(isFound({}, own)).toBe(true);
  expect(isFound({}, "other")).toBe(false);
  expect(isFound({ KUBECONFIG: own }, KUBECONFIG_PATH)).toBe(true);
  expect(isFound({ KUBECONFIG: "other" }, "other")).toBe(true);
  expect(isFound({ KUBECONFIG: "other" }, KUBECONFIG_PATH)).toBe(false);
  expect(isFound({ KUBECONFIG: `other${delimiter}${own}` }, KUBECONFIG_PATH)).toBe(false);
});
