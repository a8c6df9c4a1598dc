import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Deployment, objectKeyOf } from "@levelset/core";
import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import { NATS } from "../../../tools/system/system-requirement.ts";
import { startNats } from "../../support/nats-server.ts";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { onServer } from "../../support/server-process.ts";
import { startEmbeddedServer, connectSession } from "../../support/test-server.ts";

onServer("levelset fleet adapters", NATS, () => {
  test("make a cluster of a remote fleet Ready, and continue after a kill", async () => {
    await using directory = await tempDirectory();
    await using nats = await startNats();
    await using target = await startEmbeddedServer({ workloads: true });
    const cwd = directory.path;
    const broker = `broker: {kind: nats, nats: {servers: ["${nats.address}"], ack_wait: 2s}}`;
    await writeFile(join(cwd, "fleet.yaml"), `${broker}\n`);
    const levelset = (...args: readonly string[]): Promise<ProcessResult> =>
      runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
    const start = (...args: readonly string[]): TestProcess =>
      new TestProcess(process.execPath, { args: [LAUNCHER, "fleet", ...args, "--config", "fleet.yaml"], cwd });
    const flags = ["--config", "fleet.yaml", "--kubeconfig", target.kubeconfig];
    const adapters = (): TestProcess =>
      start("adapters", ...["validation.ts", "fleet.ts"].map(exampleFile), "--kubeconfig", target.kubeconfig);

    await using dev = start("dev", "--no-simulate", "--memory");
    await dev.untilOutput(/Resources, as they change/u);
    const refused = await levelset("fleet", "adapters", exampleFile("nowhere.ts"), ...flags);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("does not exist")]);
    {
      await using first = adapters();
      await first.untilOutput(/^cluster +https/mu);
      expect((await levelset("create", "cluster", "eu-1")).code).toBe(0);
      // The kill interrupts the work: the cluster is not Ready yet.
      await dev.untilOutput(/cluster\/eu-1 {2}(?:✗ Degraded|… Progressing|\? Unknown)/u);
      first.signal("SIGKILL");
      await first.untilExit();
    }
    {
      await using second = adapters();
      await dev.untilOutput(/cluster\/eu-1 {2}✓ Ready {3}generation 1/u);
      second.signal("SIGKILL");
      await second.untilExit();
    }
    // A Ready resource gets no pulse for half an hour: adapters check their objects when they start.
    await using connected = await connectSession(target);
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    const plane = async (): Promise<string | undefined> =>
      (await client.list(Deployment, {})).items.find(({ metadata }) => metadata.name === "control-plane")?.metadata.uid;
    const remove = async (): Promise<string | undefined> => {
      const [found] = (await client.list(Deployment, {})).items;
      if (found !== undefined) await client.delete(Deployment, objectKeyOf(found));
      return found?.metadata.uid;
    };
    const isAnother = async (uid: string | undefined): Promise<boolean> => ![undefined, uid].includes(await plane());
    const first = await remove();
    expect(first).toBeDefined();
    await using third = adapters();
    await expect.poll(() => isAnother(first)).toBe(true);
    const second = await remove();
    await expect.poll(() => isAnother(second)).toBe(true);
    expect(await levelset("delete", "cluster", "eu-1", "--wait")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("cluster/eu-1 is deleted"),
    });
    third.signal("SIGINT");
    expect((await third.untilExit()).code).toBe(0);
  });
});

function exampleFile(name: string): string {
  return join(ROOT, "examples/06-fleet", name);
}
