import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Secret } from "@levelset/core";
import { Client } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER } from "../../support/repository.ts";
import { tempDirectoryInRepository } from "../../support/temp-directory.ts";
import { connectSession } from "../../support/test-server.ts";

const OPERATOR = `
  import { kind, s, Secret } from "@levelset/core";
  import { ok, operator, reference, refTo, step, wait } from "@levelset/operator";
  const Thing = kind({
    group: "why.levelset.dev", version: "v1", kind: "Thing", shortNames: ["th"], spec: s.object({ secret: s.string() }),
  });
  const read = step(Thing, "Read", {
    condition: "InputReady",
    reads: [reference(Thing, Secret, (thing) => thing.spec.secret)],
    do: (req) => {
      const key = { namespace: req.namespace ?? "", name: req.spec.secret };
      if (req.get(Secret, key) !== undefined) return ok();
      return wait("secret/" + key.name + " does not exist", { on: [refTo(Secret, key)] });
    },
  });
  export default operator(Thing, [read]);
`;
const SAMPLE = "{apiVersion: why.levelset.dev/v1, kind: Thing, metadata: {name: a}, spec: {secret: numbers}}";

/** Returns the directory of the run files. Hidden, because levelset dev would reload on their changes. */
function runtimeOf(directory: string): string {
  return join(directory, ".run");
}

/** Runs the command in a directory, without a kubeconfig. */
function levelset(cwd: string, ...args: readonly string[]): Promise<ProcessResult> {
  const env = { KUBECONFIG: "", HOME: "/nonexistent", XDG_RUNTIME_DIR: runtimeOf(cwd), NO_COLOR: undefined };
  return runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd, env });
}

describe("levelset why and trace", () => {
  test("explain an object of a running levelset dev without flags", async () => {
    await using directory = await tempDirectoryInRepository();
    const { path } = directory;
    await writeFile(join(path, "thing.ts"), OPERATOR);
    await writeFile(join(path, "sample.yaml"), SAMPLE);
    await using dev = new TestProcess(process.execPath, {
      args: [LAUNCHER, "dev", "thing.ts", "--apply", "sample.yaml"],
      cwd: path,
      env: { XDG_RUNTIME_DIR: runtimeOf(path) },
    });
    await dev.untilOutput(/Thing default\/a .* InputReady ✗/u);

    const missing = await levelset(path, "why", "thing/a");
    expect(missing.stdout).toMatch(
      /^Thing a +Progressing {3}generation 1, observed 1\n└─ InputReady ✗ Progressing \d+ s +secret\/numbers does not exist\n {3}└─ Secret numbers +not found\n {3}last change: levelset-cli created it \d+ s ago\n$/u,
    );
    expect(missing.stderr).toMatch(/^\.levelset\/kubeconfig, https:\/\/127\.0\.0\.1:\d+, namespace default\n$/u);
    expect(missing.code).toBe(3);

    await using watching = new TestProcess(process.execPath, {
      args: [LAUNCHER, "why", "th", "a", "--watch", "-o", "json"],
      cwd: path,
      env: { KUBECONFIG: "", XDG_RUNTIME_DIR: runtimeOf(path) },
    });
    await watching.untilOutput(/"state": "progressing"/u);
    await using tracing = new TestProcess(process.execPath, {
      args: [LAUNCHER, "trace", "thing/a", "--follow"],
      cwd: path,
      env: { KUBECONFIG: "", XDG_RUNTIME_DIR: runtimeOf(path) },
    });
    await tracing.untilOutput(/run 1 /u);
    await using connected = await connectSession({ kubeconfig: join(path, ".levelset/kubeconfig"), ...noDisposal });
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    await client.create(Secret, { metadata: { namespace: "default", name: "numbers" } });
    expect(await watching.untilExit()).toMatchObject({ code: 0, stderr: "" });

    await tracing.untilOutput(
      /^run 1 {3}.*\n {8}Read wait .*\n {10}Read: secret\/numbers does not exist\nrun 2 {3}[\d:.]+ {2}because secret\/numbers appeared \(reference\) · .*\n {8}Read ok .*→ 1 write\n$/u,
    );
    tracing.signal("SIGINT");
    expect(await tracing.untilExit()).toMatchObject({ code: 0, stderr: "" });
  });
});

const noDisposal = { [Symbol.asyncDispose]: () => Promise.resolve() };
