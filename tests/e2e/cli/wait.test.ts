import { join } from "node:path";
import { ConfigMap } from "@levelset/core";
import { Client } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { TestProcess } from "../../support/test-process.ts";
import { LAUNCHER } from "../../support/repository.ts";
import { tempDirectoryInRepository } from "../../support/temp-directory.ts";
import { connectSession } from "../../support/test-server.ts";

describe("levelset wait", () => {
  test("exits with 0 when the object appears, and with 3 on Ctrl-C", async () => {
    await using directory = await tempDirectoryInRepository();
    const cwd = directory.path;
    const env = { KUBECONFIG: "", HOME: "/nonexistent", XDG_RUNTIME_DIR: cwd };
    const start = (...args: readonly string[]): TestProcess =>
      new TestProcess(process.execPath, { args: [LAUNCHER, ...args], cwd, env });
    await using server = start("apiserver");
    await server.untilOutput(/Ctrl-C stops/u);
    await using waiting = start("wait", "configmap/a");
    await using stopped = start("wait", "configmap/b", "-o", "json");
    await Promise.all([waiting.untilOutput(/does not exist yet/u), stopped.untilOutput(/does not exist yet/u)]);

    const target = { kubeconfig: join(cwd, ".levelset/kubeconfig"), [Symbol.asyncDispose]: () => Promise.resolve() };
    await using connected = await connectSession(target);
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    await client.create(ConfigMap, { metadata: { namespace: "default", name: "a" } });
    expect(await waiting.untilExit()).toMatchObject({ code: 0, stdout: "configmap/a is Ready\n" });
    stopped.signal("SIGINT");
    const { code, stdout } = await stopped.untilExit();
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "stopped", objects: [{ object: "configmap/b" }] });
  });
});
