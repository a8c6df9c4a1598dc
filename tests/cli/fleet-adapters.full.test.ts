import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Deployment, keyOf } from "@levelset/core";
import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import { NATS } from "../../tools/system/need.ts";
import { startNats } from "../support/nats-server.ts";
import { runProcess, TestProcess } from "../support/process.ts";
import type { Ended } from "../support/process.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";
import { onServer } from "../support/server-process.ts";
import { embeddedTarget, session } from "../support/target.ts";

onServer("levelset fleet adapters", NATS, () => {
  test("bring a cluster to ready against a fleet that runs elsewhere, and go on after a kill where they were", async () => {
    await using directory = await scratch();
    await using nats = await startNats();
    await using target = await embeddedTarget({ workloads: true });
    const cwd = directory.path;
    const broker = `broker: {kind: nats, nats: {servers: ["${nats.address}"], ack_wait: 2s}}`;
    await writeFile(join(cwd, "fleet.yaml"), `${broker}\n`);
    const levelset = (...words: readonly string[]): Promise<Ended> =>
      runProcess(process.execPath, { args: [LAUNCHER, ...words], cwd });
    const start = (...words: readonly string[]): TestProcess =>
      new TestProcess(process.execPath, { args: [LAUNCHER, "fleet", ...words, "--config", "fleet.yaml"], cwd });
    const where = ["--config", "fleet.yaml", "--kubeconfig", target.kubeconfig];
    const adapters = (): TestProcess =>
      start("adapters", ...["validation.ts", "fleet.ts"].map(exampleFile), "--kubeconfig", target.kubeconfig);

    await using dev = start("dev", "--no-simulate", "--memory");
    await dev.says(/Resources, as they change/u);
    const refused = await levelset("fleet", "adapters", exampleFile("nowhere.ts"), ...where);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("there is no")]);
    {
      await using first = adapters();
      await first.says(/^cluster +https/mu);
      expect((await levelset("create", "cluster", "eu-1")).code).toBe(0);
      // In the middle: some of its children are there, and nobody has said that it is ready.
      await dev.says(/cluster\/eu-1 {2}✗ not ready/u);
      first.signal("SIGKILL");
      await first.ended();
    }
    {
      await using second = adapters();
      await dev.says(/cluster\/eu-1 {2}✓ ready {3}generation 1/u);
      second.signal("SIGKILL");
      await second.ended();
    }
    // Nobody pulses what is ready for half an hour: the adapters look by themselves when they start.
    await using connected = await session(target);
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    const plane = async (): Promise<string | undefined> =>
      (await client.list(Deployment, {})).items.find(({ metadata }) => metadata.name === "control-plane")?.metadata.uid;
    const remove = async (): Promise<string | undefined> => {
      const [found] = (await client.list(Deployment, {})).items;
      if (found !== undefined) await client.delete(Deployment, keyOf(found));
      return found?.metadata.uid;
    };
    const isAnother = async (uid: string | undefined): Promise<boolean> => ![undefined, uid].includes(await plane());
    const away = await remove();
    expect(away).toBeDefined();
    await using third = adapters();
    await expect.poll(() => isAnother(away), { timeout: 20_000 }).toBe(true);
    const later = await remove();
    await expect.poll(() => isAnother(later), { timeout: 20_000 }).toBe(true);
    expect(await levelset("delete", "cluster", "eu-1", "--wait")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("cluster/eu-1 is deleted"),
    });
    third.signal("SIGINT");
    expect((await third.ended()).code).toBe(0);
  }, 120_000);
});

function exampleFile(name: string): string {
  return join(ROOT, "examples/06-fleet", name);
}
