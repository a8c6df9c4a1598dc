import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Lease } from "@levelset/core";
import { Client } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { Simple } from "../../../examples/01-simple/simple.ts";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { startEmbeddedServer, connectSession } from "../../support/test-server.ts";

const SIMPLE = "examples/01-simple/simple.ts";

describe("levelset run", () => {
  test("serves endpoints, holds a Lease, writes its run file, and releases both when it stops", async () => {
    await using target = await startEmbeddedServer();
    await using state = await tempDirectory();
    await using connected = await connectSession(target);
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    const start = (): TestProcess =>
      new TestProcess(process.execPath, {
        args: [
          LAUNCHER,
          "run",
          SIMPLE,
          "--kubeconfig",
          target.kubeconfig,
          "--install-crds",
          "--leader-elect",
          "--listen",
          "0",
        ],
        cwd: ROOT,
        env: { XDG_RUNTIME_DIR: state.path },
      });
    await using first = start();
    await first.untilOutput(/^ {2}running {2}operators=simple {2}server=https:\/\/127\.0\.0\.1:\d+ {2}context=\S+\n/u);
    const [, url] = await first.untilOutput(/listening.*(http:\/\/127\.0\.0\.1:\d+)/u);
    await first.untilOutput(/leading/u);
    await using second = start();
    await second.untilOutput(/standing by/u);
    await client.create(Simple, { metadata: { namespace: "default", name: "a" }, spec: { dividend: 6, divisor: 2 } });
    await expect
      .poll(async () => (await client.get(Simple, { namespace: "default", name: "a" })).status?.quotient)
      .toBe(3);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);

    const files = await readdir(join(state.path, "levelset"));
    expect(files).toHaveLength(2);
    const found = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(state.path, "levelset", file), "utf8"))),
    );
    const own = found.find((each) => each.url === url);
    expect(own).toMatchObject({ operators: ["simple"], pid: expect.any(Number) });
    const runs = await fetch(`${url}/debug/runs`, { headers: { authorization: `Bearer ${own.token}` } });
    expect(await runs.json()).toMatchObject({ runs: [{ controller: "simple", name: "a", result: "ok" }] });

    const holder = async () =>
      (await client.get(Lease, { namespace: "default", name: "levelset-simple" })).spec?.holderIdentity;
    const before = await holder();
    first.signal("SIGTERM");
    expect((await first.untilExit()).code).toBe(0);
    await second.untilOutput(/leading/u);
    expect(await holder()).not.toBe(before);
    second.signal("SIGINT");
    expect((await second.untilExit()).code).toBe(0);
    expect(await holder()).toBe("");
    expect(await readdir(join(state.path, "levelset"))).toEqual([]);
  });

  test("reports errors about credentials, kinds and flags in one line", async () => {
    await using target = await startEmbeddedServer();
    await using directory = await tempDirectory();
    const run = (kubeconfig: string, ...args: string[]) =>
      runProcess(process.execPath, { args: [LAUNCHER, "run", SIMPLE, "--kubeconfig", kubeconfig, ...args], cwd: ROOT });
    const unknown = await run(target.kubeconfig);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      "levelset: the cluster does not serve the kind Simple (examples.levelset.dev/v1beta1)\nhint: install its CRD first, or run with --install-crds\n",
    ]);
    const expired = join(directory.path, "expired");
    await writeFile(
      expired,
      (await readFile(target.kubeconfig, "utf8")).replace(/"token": ".*"/u, '"token": "of-yesterday"'),
    );
    const refused = await run(expired);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^levelset: the cluster rejected the credentials of the context \S+\nhint: .*log in again.*\n$/u,
      ),
    ]);
    const taken = await run(target.kubeconfig, "--install-crds", "--listen", "300.0.0.1:1");
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringMatching(/^levelset: cannot listen on 300\.0\.0\.1:1: .*\nhint: .*\n$/u),
    ]);
  });
});
