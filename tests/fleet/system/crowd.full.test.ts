import { createApiServer } from "@levelset/apiserver";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { readyOf } from "@levelset/fleet/client";
import { expect, test } from "vitest";
import { scratch } from "../../support/scratch.ts";
import { realPlace } from "./real-place.ts";
import { namespacesLeft } from "./observations.ts";

const CLUSTERS = 500;

test("500 clusters with four adapters each, created at once, are all Ready, and all go when they are deleted at once", async () => {
  await using directory = await scratch();
  const controllers = { workloads: true, serviceAccounts: true };
  const server = createApiServer({ clock: realClock, random: realRandom, logger: silentLogger, controllers });
  const store = { kind: "sqlite", path: `${directory.path}/fleet.db` } as const;
  const servers = { store, broker: { kind: "memory" }, cluster: server.fetch, patienceMs: 120_000 } as const;
  await using place = await realPlace(servers);
  const { system } = place;
  const names = Array.from({ length: CLUSTERS }, (_, n) => `c-${n}`);
  const made = await Promise.all(names.map((name) => system.cluster(name)));
  // Asked for by the one that is missing: to read all of them again and again would be most of the work.
  const isAny = async (search: string): Promise<boolean> => {
    for await (const _ of system.clusters.list({ search, fields: ["id"], pageSize: 1 })) return true;
    return false;
  };
  await place.until("all are Ready", async () => !(await isAny("status.conditions.Ready = 'False'")));
  expect(await namespacesLeft(place)).toHaveLength(CLUSTERS);
  for (const [, resource] of await system.all()) expect(readyOf(resource)?.status).toBe("True");
  await Promise.all(made.map(({ id }) => system.clusters.delete(id)));
  await place.until("all are gone", async () => !(await isAny("generation > 0")));
  expect(await namespacesLeft(place)).toEqual([]);
  server.close();
}, 300_000);
