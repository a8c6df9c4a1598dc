import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { realClock } from "@levelset/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findCluster, isFoundByDefault } from "./access.ts";
import { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
import type { Shell } from "./shell.ts";

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
  const silent = (): void => {};
  const output = { stdout: silent, stderr: silent, stdin: async () => "", exitCode: silent };
  return { ...output, clock: realClock, signal: () => signal, cwd, env: { HOME: cwd, ...env } };
}

async function asked(env: Shell["env"], options: { readonly kubeconfig?: string; readonly context?: string } = {}) {
  const { access, found } = await findCluster(shellWith(env), options);
  return [access.server, found];
}

describe("the cluster that is asked", () => {
  test("is that of ~/.kube/config while no embedded server was started here", async () => {
    expect(await asked({})).toEqual(["http://home", undefined]);
  });

  test("is the embedded server that was started here, unless a cluster is named", async () => {
    await writeFile(join(cwd, KUBECONFIG_PATH), kubeconfig("embedded"));
    expect(await asked({})).toEqual(["http://embedded", KUBECONFIG_PATH]);
    expect(await asked({ KUBECONFIG: "other" })).toEqual(["http://other", undefined]);
    expect(await asked({}, { kubeconfig: "other" })).toEqual(["http://other", undefined]);
    expect(await asked({}, { context: "b" })).toEqual(["http://home", undefined]);
  });
});

describe("where a server of this directory has ended", () => {
  const remember = (record: object): Promise<void> =>
    writeFile(join(cwd, ".levelset", "server.json"), JSON.stringify(record));
  const last = { command: "levelset dev", pid: 1, started: "2026-01-01T00:00:00Z", ended: "2026-01-01T01:00:00Z" };

  test("no other cluster is used instead", async () => {
    await remember(last);
    const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
    for (const env of [{}, pod, { KUBECONFIG: "" }]) {
      await expect(asked(env)).rejects.toMatchObject({
        message: "levelset dev is not running in this directory (it ran here until 2026-01-01T01:00:00Z)",
        hint: "start it again, or name a cluster with --kubeconfig, --context or KUBECONFIG",
      });
    }
  });

  test("a cluster that is named is used", async () => {
    await remember(last);
    expect(await asked({ KUBECONFIG: "other" })).toEqual(["http://other", undefined]);
    expect(await asked({}, { kubeconfig: "other" })).toEqual(["http://other", undefined]);
    expect(await asked({}, { context: "b" })).toEqual(["http://home", undefined]);
  });

  test("one that was killed, or whose record is damaged, is remembered all the same", async () => {
    await remember({ ...last, ended: undefined });
    await expect(asked({})).rejects.toThrow(
      "levelset dev is not running in this directory (it started at 2026-01-01T00:00:00Z)",
    );
    await writeFile(join(cwd, ".levelset", "server.json"), "{");
    await expect(asked({})).rejects.toThrow(/^levelset dev is not running in this directory$/u);
  });

  test("its kubeconfig is missed wherever it is named, also before others in KUBECONFIG", async () => {
    await remember(last);
    const own = join(cwd, KUBECONFIG_PATH);
    for (const KUBECONFIG of [own, `${own}${delimiter}other`, `other${delimiter}${own}`]) {
      await expect(asked({ KUBECONFIG })).rejects.toThrow("levelset dev is not running in this directory");
    }
    await expect(asked({}, { kubeconfig: KUBECONFIG_PATH })).rejects.toThrow("is not running in this directory");
  });
});

test("a context that is named is looked for in a kubeconfig, in a pod as well", async () => {
  const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  expect(await asked(pod, { context: "b" })).toEqual(["http://home", undefined]);
});

test("a kubeconfig is found by default where KUBECONFIG does not lead elsewhere", () => {
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
