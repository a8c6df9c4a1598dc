import { realClock, realRandom, silentLogger } from "@levelset/core";
import { Fleet, localCaller } from "@levelset/fleet/server";
import { openStore, readKinds } from "@levelset/fleet";
import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { onServer } from "../../support/server-process.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { postgresConfig } from "../../support/fleet/postgres-config.ts";
import { PULSED_ENTITIES } from "./sentinel/pulsed-entities.ts";
import { SentinelReplica } from "./sentinel/sentinel-replica.ts";
import { POSTGRESQL } from "../../../tools/system/system-requirement.ts";

const CLUSTERS = 300;
const PATCHES_AT_ONCE = 20;

/** Resolves when all pulses were sent; fails after a timeout. */
async function allSent(replicas: readonly SentinelReplica[], pulses: readonly string[]): Promise<void> {
  const isSent = (): true => {
    const sent = new Set(replicas.flatMap((replica) => replica.pulses));
    const missing = pulses.filter((pulse) => !sent.has(pulse));
    if (missing.length === 0) return true;
    throw new Error(`${missing.length} of ${pulses.length} were not sent`);
  };
  await eventually("all pulses are sent", isSent, { timeoutMs: 60_000, pollMs: 50 });
}

onServer("Sentinels on PostgreSQL", POSTGRESQL, () => {
  test("three replicas send each change once; when one is killed, the others send its claims", async () => {
    await using server = await startPostgres();
    const config = postgresConfig(server.url);
    const world = { clock: realClock, random: realRandom, logger: silentLogger };
    await using store = await openStore(config, world);
    const kinds = readKinds(PULSED_ENTITIES);
    const fleet = new Fleet({ store, kinds, ...world });
    const caller = localCaller("test");
    const [kind] = kinds.all;
    if (kind === undefined) throw new TypeError("there is one");
    await using first = await SentinelReplica.start(config);
    await using second = await SentinelReplica.start(config);
    await using third = await SentinelReplica.start(config);
    const replicas = [first, second, third];

    const create = async (name: string): Promise<string> => {
      const declaration = { kind, parent: undefined, name, spec: {}, labels: {}, references: {} };
      const done = await fleet.create(caller, declaration);
      if (done.kind !== "done") throw new TypeError("no pulse was sent twice");
      return done.result.resource.id;
    };
    const ids: string[] = [];
    // A replica that has just started may find no work at first.
    do {
      const names = Array.from({ length: CLUSTERS }, (_, number) => `c-${ids.length + number}`);
      const made = await Promise.all(names.map(create));
      ids.push(...made);
      const created = made.map((id) => `${id} 1`);
      await allSent(replicas, created);
      const sent = replicas.flatMap(({ pulses }) => pulses).filter((pulse) => created.includes(pulse));
      expect(sent.toSorted()).toEqual(created.toSorted());
    } while (!replicas.every(({ pulses }) => pulses.length > 0));

    const patches = ids.values();
    const patchRest = async (): Promise<void> => {
      for (const id of patches) {
        await fleet.patch(caller, { id }, { spec: { size: 1 } });
        // In the middle of the work.
        if (id === ids[ids.length / 2]) await second.kill();
      }
    };
    await Promise.all(Array.from({ length: PATCHES_AT_ONCE }, patchRest));
    const patched = ids.map((id) => `${id} 2`);
    await allSent(replicas, patched);
  });
});
