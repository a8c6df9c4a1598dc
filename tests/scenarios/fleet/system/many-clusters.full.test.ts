import { createApiServer } from "@levelset/apiserver";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { readyOf } from "@levelset/fleet/client";
import { expect, test } from "vitest";
import { tempDirectory } from "../../../support/temp-directory.ts";
import { openRealSystem } from "./real-system.ts";
import { namespacesLeft } from "./observations.ts";

const CLUSTERS = 500;

test("500 clusters with four adapters each, created at once, all become Ready, and are all removed when deleted at once", async () => {
  await using directory = await tempDirectory();
  const controllers = { workloads: true, serviceAccounts: true };
  const server = createApiServer({ clock: realClock, random: realRandom, logger: silentLogger, controllers });
  const store = { kind: "sqlite", path: `${directory.path}/fleet.db` } as const;
  const servers = { store, broker: { kind: "memory" }, cluster: server.fetch, timeoutMs: 400_000 } as const;
  await using harness = await openRealSystem(servers);
  const { system } = harness;
  const names = Array.from({ length: CLUSTERS }, (_, n) => `c-${n}`);
  const clusters = await Promise.all(names.map((name) => system.cluster(name)));
  // Searches for one missing resource: reading all of them repeatedly would dominate the run time.
  const isAny = async (search: string): Promise<boolean> => {
    for await (const _ of system.clusters.list({ search, fields: ["id"], pageSize: 1 })) return true;
    return false;
  };
  await harness.until("all are Ready", async () => !(await isAny("status.conditions.Ready = 'False'")));
  expect(await namespacesLeft(harness)).toHaveLength(CLUSTERS);
  for (const [, resource] of await system.all()) expect(readyOf(resource)?.status).toBe("True");
  await Promise.all(clusters.map(({ id }) => system.clusters.delete(id)));
  await harness.until("all are deleted", async () => !(await isAny("generation > 0")));
  expect(await namespacesLeft(harness)).toEqual([]);
  server.close();
});
