import { EVERY_TENANT, openStore, StoreUnavailable } from "@levelset/fleet";
import { expect, test } from "vitest";
import { onServer } from "../../support/server-process.ts";
import { cluster, create } from "./draft.ts";
import { suiteHarness, WORLD } from "./harness.ts";
import { startPostgresHarness } from "./postgres-harness.ts";
import { POSTGRESQL } from "../../../tools/system/need.ts";

onServer("PostgreSQL that is killed", POSTGRESQL, () => {
  const harness = suiteHarness(startPostgresHarness);
  test("a store lives through the kill of its server: what was acknowledged is there, and what waits is done", async () => {
    await using store = await harness().open();
    const { server, config } = harness();
    const acknowledged = new Set<string>();
    const over = new AbortController();
    const names = Array.from({ length: 4 }, (_, worker) => `worker-${worker}`);
    const working = names.map(async (worker) => {
      for (let index = 0; !over.signal.aborted; index += 1) {
        const resource = cluster(`${worker}-${index}`);
        await create(store, resource);
        acknowledged.add(resource.id);
      }
    });
    while (acknowledged.size < 40) await WORLD.clock.sleep(5);
    await server.kill();
    const before = acknowledged.size;
    await server.start();
    while (acknowledged.size < before + 40) await WORLD.clock.sleep(5);
    over.abort();
    await Promise.all(working);
    await using again = await openStore(config, WORLD);
    expect((await again.loadAll([...acknowledged])).length).toBe(acknowledged.size);
    expect((await again.journal({ scope: EVERY_TENANT, limit: 10_000 })).length).toBe(acknowledged.size);
  });

  test("a store whose server stays away says so in time, and is there again with it", async () => {
    const { server, config } = harness();
    await using store = await openStore({ ...config, patienceMs: 300 }, WORLD);
    await server.kill();
    await expect(store.ping()).rejects.toThrow(StoreUnavailable);
    await expect(openStore({ ...config, patienceMs: 300 }, WORLD)).rejects.toThrow(StoreUnavailable);
    await server.start();
    await store.ping();
  });
});
