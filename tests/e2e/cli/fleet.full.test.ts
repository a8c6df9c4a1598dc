import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { openBroker } from "@levelset/fleet";
import type { Broker } from "@levelset/fleet";
import { FleetClient } from "@levelset/fleet/client";
import { expect, test } from "vitest";
import { startNats } from "../../support/nats-server.ts";
import { POSTGRES_PASSWORD, startPostgres } from "../../support/postgres-server.ts";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import { LAUNCHER } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { onServer } from "../../support/server-process.ts";
import { NATS, POSTGRESQL, combineRequirements } from "../../../tools/system/system-requirement.ts";

const FREE_PORTS = ["api", "sentinel"].flatMap((part) => [
  "-s",
  `${part}.health.port=0`,
  "-s",
  `${part}.metrics.port=0`,
]);
const CLUSTER = { kind: "Cluster", plural: "clusters" };

function natsBroker(address: string, signal: AbortSignal): Promise<Broker> {
  const world = { clock: realClock, random: realRandom, logger: silentLogger, signal };
  return openBroker({ kind: "nats", servers: [address] }, world);
}

/** Collects the resource ids of the messages of a topic. */
async function pulses(
  broker: Broker,
  topic: string,
): Promise<{ readonly ids: string[]; readonly first: Promise<void> }> {
  const ids: string[] = [];
  const { promise: first, resolve } = Promise.withResolvers<void>();
  await broker.subscribe(topic, "test", async ({ event }) => {
    ids.push((event.data as { readonly id: string }).id);
    resolve();
    return Promise.resolve();
  });
  return { ids, first };
}

onServer("levelset fleet on PostgreSQL and NATS", combineRequirements(POSTGRESQL, NATS), () => {
  test("a command migrates a database, which an API and two Sentinels in separate processes share", async () => {
    await using directory = await tempDirectory();
    await using postgres = await startPostgres();
    await using nats = await startNats();
    const cwd = directory.path;
    const file = `store: {kind: postgres, url: "${postgres.url}"}\nbroker: {kind: nats, nats: {servers: ["${nats.address}"]}}\n`;
    await writeFile(join(cwd, "fleet.yaml"), file);
    const env = { LEVELSET_FLEET_STORE_PASSWORD: POSTGRES_PASSWORD };
    const args = (...rest: readonly string[]) => [LAUNCHER, "fleet", ...rest, "-c", "fleet.yaml"];
    const early = await runProcess(process.execPath, {
      args: [...args("api"), "--port", "0", ...FREE_PORTS],
      cwd,
      env,
    });
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("levelset fleet migrate")]);
    const migrated = await runProcess(process.execPath, { args: args("migrate"), cwd, env });
    expect(migrated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^database schema migrated from version 0 to \d+\n$/u),
    });

    const stop = new AbortController();
    await using broker = await natsBroker(nats.address, stop.signal);
    const received = await pulses(broker, "hyperfleet-clusters");
    const start = (...rest: readonly string[]): TestProcess =>
      new TestProcess(process.execPath, { args: [...args(...rest), ...FREE_PORTS], cwd, env });
    await using api = start("api", "--port", "0");
    await using one = start("sentinel");
    await using two = start("sentinel");
    const [, url = ""] = await api.untilOutput(/^API +(\S+)$/mu);
    for (const sentinel of [one, two]) await sentinel.untilOutput(/^Sentinel clusters → hyperfleet-clusters/mu);
    const { resource } = await new FleetClient({ url }).collection(CLUSTER).create({ name: "eu-1", spec: {} });
    await received.first;
    expect(received.ids).toEqual([resource.id]);
    for (const running of [one, two, api]) {
      running.signal("SIGTERM");
      expect((await running.untilExit()).code).toBe(0);
      expect(running.output).not.toContain(POSTGRES_PASSWORD);
    }
    stop.abort();
  });
});

onServer("levelset fleet sentinel", NATS, () => {
  test("a HyperFleet Sentinel file runs unchanged and polls an API", async () => {
    await using directory = await tempDirectory();
    await using nats = await startNats();
    const cwd = directory.path;
    await using api = new TestProcess(process.execPath, {
      args: [LAUNCHER, "fleet", "api", "--port", "0", ...FREE_PORTS],
      cwd,
    });
    const [, url = ""] = await api.untilOutput(/^API +(\S+)$/mu);
    const file = `
resource_type: clusters
poll_interval: 100ms
resource_selector: [{label: shard, value: "1"}]
clients:
  hyperfleet_api: {base_url: "${url}"}
  broker: {topic: shard-1}
message_data: {id: resource.id, kind: resource.kind}
`;
    await writeFile(join(cwd, "sentinel.yaml"), file);
    const stop = new AbortController();
    await using broker = await natsBroker(nats.address, stop.signal);
    const received = await pulses(broker, "shard-1");
    const clusters = new FleetClient({ url }).collection(CLUSTER);
    await clusters.create({ name: "other", spec: {} });
    const { resource } = await clusters.create({ name: "mine", spec: {}, labels: { shard: "1" } });
    const env = { LEVELSET_FLEET_BROKER_KIND: "nats", LEVELSET_FLEET_BROKER_NATS_SERVERS: nats.address };
    const args = [LAUNCHER, "fleet", "sentinel", "-c", "sentinel.yaml", "--source", "http", ...FREE_PORTS];
    await using sentinel = new TestProcess(process.execPath, { args, cwd, env });
    const [, ready = ""] = await sentinel.untilOutput(/^health +(\S+)$/mu);
    await clusters.patch(resource.id, { spec: { a: 1 } });
    await received.first;
    expect(new Set(received.ids)).toEqual(new Set([resource.id]));
    await expect.poll(async () => (await fetch(ready)).status).toBe(200);
    sentinel.signal("SIGINT");
    expect((await sentinel.untilExit()).code).toBe(0);
    stop.abort();
  });
});
