import { join } from "node:path";
import { ConfigMap } from "@levelset/core";
import { Client } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { TestProcess } from "../support/process.ts";
import { LAUNCHER } from "../support/repository.ts";
import { scratchInside } from "../support/scratch.ts";
import { session } from "../support/target.ts";

describe("levelset wait", () => {
  test("is a process that ends with 0 when the object appears, and with 3 at the first Ctrl-C", async () => {
    await using directory = await scratchInside();
    const cwd = directory.path;
    const env = { KUBECONFIG: "", HOME: "/nonexistent", XDG_RUNTIME_DIR: cwd };
    const start = (...args: readonly string[]): TestProcess =>
      new TestProcess(process.execPath, { args: [LAUNCHER, ...args], cwd, env });
    await using server = start("apiserver");
    await server.says(/Ctrl-C stops/u);
    await using waiting = start("wait", "configmap/a");
    await using stopped = start("wait", "configmap/b", "-o", "json");
    await Promise.all([waiting.says(/does not exist yet/u), stopped.says(/does not exist yet/u)]);

    const target = { kubeconfig: join(cwd, ".levelset/kubeconfig"), [Symbol.asyncDispose]: () => Promise.resolve() };
    await using connected = await session(target);
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    await client.create(ConfigMap, { metadata: { namespace: "default", name: "a" } });
    expect(await waiting.ended()).toMatchObject({ code: 0, stdout: "configmap/a is ready\n" });
    stopped.signal("SIGINT");
    const { code, stdout } = await stopped.ended();
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "stopped", objects: [{ object: "configmap/b" }] });
  });
});
