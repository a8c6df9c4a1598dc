import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "@levelset/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findAskedCluster } from "./access.ts";
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

async function asked(env: Shell["env"], options: { readonly kubeconfig?: string; readonly context?: string } = {}) {
  const { signal } = new AbortController();
  const silent = (): void => {};
  const shell = {
    stdout: silent,
    stderr: silent,
    stdin: async () => "",
    exitCode: silent,
    clock: realClock,
    signal: () => signal,
  };
  const { access, found } = await findAskedCluster({ ...shell, cwd, env: { HOME: cwd, ...env } }, options);
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
