import { join } from "node:path";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { readyOf } from "@levelset/fleet/client";
import { connect, loadKubeconfig } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { TestProcess } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { exportCluster } from "./cluster-export.ts";
import { DurableCluster } from "./durable-cluster.ts";
import { FleetRun } from "./fleet-run.ts";
import { exportFleet, firstCluster, IDEMPOTENCY_KEY, named } from "./fleet-content.ts";
import { withoutMigration } from "./migration.ts";
import { copiesOf, FILES, passing, recordedVersions } from "./recorded.ts";
import type { Copies } from "./recorded.ts";

const MINUTE_MS = 60_000;

function openFleet(copies: Copies, clock: VirtualClock): Promise<FleetRun> {
  const store = { kind: "sqlite", path: copies.path(FILES.sqlite) } as const;
  return FleetRun.start({ store, clock, random: seededRandom(99) });
}

describe.each(await recordedVersions())("a fleet's SQLite file of version %s", (version) => {
  test("has every resource, report and entry of the history", async () => {
    await using copies = await copiesOf(version);
    const clock = new VirtualClock(copies.time);
    const fleet = await openFleet(copies, clock);
    const recorded: unknown = JSON.parse(await copies.text(FILES.sqliteExport));
    expect(await exportFleet(fleet)).toEqual(recorded);
    await passing(clock, fleet[Symbol.asyncDispose]());
  });

  test("still has the idempotency keys", async () => {
    await using copies = await copiesOf(version);
    const clock = new VirtualClock(copies.time);
    const fleet = await openFleet(copies, clock);
    const first = await named(fleet, "eu-1");
    const channel = first.references?.["channel"]?.[0]?.id ?? "";
    const again = await fleet.clusters.create(firstCluster(channel), { idempotencyKey: IDEMPOTENCY_KEY });
    expect(again.resource.id).toBe(first.id);
    await passing(clock, fleet[Symbol.asyncDispose]());
  });

  test("continues due work; its adapters recognize their objects and only add an annotation", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await DurableCluster.open(copies.path(FILES.cluster), { now: copies.time, seed: 99 });
    const { clock } = cluster;
    const fleet = await openFleet(copies, clock);
    const [settled, changed, deleted, fresh] = await Promise.all(
      ["eu-1", "eu-2", "eu-3", "eu-5"].map((name) => named(fleet, name)),
    );
    const appliedFor = async (id = ""): Promise<readonly KubeObject[]> =>
      (await exportCluster(cluster.fetch)).filter(({ kind, metadata: { name, namespace = "" } }) => {
        return (name === `fleet-${id}` || namespace === `fleet-${id}`) && kind !== "Event";
      });
    const before = await appliedFor(settled?.id);
    expect(before.length).toBeGreaterThan(5);
    await fleet.startAdapters(cluster.faults.fetch);
    await fleet.startSentinel();
    await cluster.pass(10 * MINUTE_MS);
    expect(new Set(fleet.pulsed)).toEqual(new Set([changed?.id, deleted?.id, fresh?.id]));
    expect(readyOf(await named(fleet, "eu-2"))).toMatchObject({ status: "True", observed_generation: 2 });
    expect(readyOf(await named(fleet, "eu-5"))).toMatchObject({ status: "True", observed_generation: 1 });
    expect(await fleet.clusters.findByName("eu-3")).toEqual([]);
    expect(await appliedFor(deleted?.id)).toEqual([]);
    expect(await appliedFor(settled?.id)).toEqual(before);
    // The settled resource gets a pulse half an hour after its last report. By then only a Job has run again.
    await cluster.pass(25 * MINUTE_MS);
    expect(fleet.pulsed).toContain(settled?.id);
    const lasting = (objects: readonly KubeObject[]): readonly KubeObject[] =>
      objects.filter(({ kind, metadata }) => kind !== "Job" && metadata.labels?.["job-name"] === undefined);
    expect(withoutMigration(lasting(await appliedFor(settled?.id)))).toEqual(withoutMigration(lasting(before)));
    expect(readyOf(await named(fleet, "eu-1"))?.status).toBe("True");
    await passing(clock, fleet[Symbol.asyncDispose]());
  });
});

test.each(await recordedVersions())("levelset apiserver --data serves a file of version %s", async (version) => {
  await using copies = await copiesOf(version);
  await using directory = await tempDirectory();
  const kubeconfig = join(directory.path, "config");
  const args = [LAUNCHER, "apiserver", "--data", copies.path(FILES.cluster), "--kubeconfig", kubeconfig];
  await using server = new TestProcess(process.execPath, { args, cwd: ROOT });
  await server.untilOutput(/objects are stored in/u);
  const connection = connect(await loadKubeconfig(kubeconfig));
  const found = await connection.fetch(
    new Request(`${CLUSTER_ORIGIN}/apis/operand.levelset.dev/v1alpha1/operands/ready`),
  );
  expect(found.status).toBe(200);
  await connection.close();
});
