import { EVERY_TENANT, StoreUnavailableError } from "@levelset/fleet/server";
import { openStore } from "@levelset/fleet";
import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { onServer } from "../../support/server-process.ts";
import { cluster, create } from "./fixtures.ts";
import { suiteHarness, WORLD } from "./harness.ts";
import { startPostgresHarness } from "./postgres-harness.ts";
import { POSTGRESQL } from "../../../tools/system/system-requirement.ts";

onServer("PostgreSQL kills", POSTGRESQL, () => {
  const harness = suiteHarness(startPostgresHarness);
  test("a store survives the kill of its server: acknowledged changes persist, and pending ones complete", async () => {
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
    await eventually("40 changes are acknowledged", () => acknowledged.size >= 40);
    await server.kill();
    const before = acknowledged.size;
    await server.start();
    await eventually("40 more changes are acknowledged", () => acknowledged.size >= before + 40);
    over.abort();
    await Promise.all(working);
    await using again = await openStore(config, WORLD);
    expect((await again.loadAll([...acknowledged])).length).toBe(acknowledged.size);
    expect((await again.journal({ scope: EVERY_TENANT, limit: 10_000 })).length).toBe(acknowledged.size);
  });

  test("a store fails in time while its server is down, and recovers with it", async () => {
    const { server, config } = harness();
    await using store = await openStore({ ...config, retryTimeoutMs: 300 }, WORLD);
    await server.kill();
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    await expect(openStore({ ...config, retryTimeoutMs: 300 }, WORLD)).rejects.toThrow(StoreUnavailableError);
    await server.start();
    await store.ping();
  });
});
