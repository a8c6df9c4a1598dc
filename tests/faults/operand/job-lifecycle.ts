import { ConfigMap, Job, Pod } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import type { Fault } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { RunnableHandle, TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect } from "vitest";
import { config } from "../../scenarios/operand/manifests.ts";
import { InvariantChecker } from "./invariants.ts";
import { WatchRecorder } from "./watch-recorder.ts";

/** Number of a request that never happens: a run without faults. */
export const NO_FAULT = 1_000_000;
/** Interval between checks that the process is alive. */
const TICK_MS = 5_000;
/** Downtime of a crashed process: Jobs end meanwhile, and so do TTLs. */
const DOWN_MS = 30_000;

function job(name: string, image: string, hook?: string): EmbeddedObject {
  const annotations = hook === undefined ? {} : { "operand.levelset.dev/hook": hook };
  const pods = { "sim.levelset.dev/run-for": "3s" };
  const spec = { restartPolicy: "Never", containers: [{ name: "main", image }] };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace: "default", annotations },
    spec: { backoffLimit: 0, ttlSecondsAfterFinished: 0, template: { metadata: { annotations: pods }, spec } },
  };
}

function setOf(version: string): readonly EmbeddedObject[] {
  return [
    config("default", "x", { version }),
    job("migrate", `migrate:${version}`),
    job("around", "around:1", "preInstall,postInstall"),
    job("upgrade", "upgrade:1", "preUpgrade"),
    job("backup", "backup:1", "preDelete"),
  ];
}

/** Returns how each Job that ever existed under a name ended: `migrate:1 Complete`. */
function runsOf(cluster: TestCluster, name: string): readonly string[] {
  const runs = new Map<string, string>();
  for (const { metadata, spec, status } of cluster.history(Job, name)) {
    const end = status?.conditions?.find(({ type, status: is }) => is === "True" && /^(Complete|Failed)$/u.test(type));
    runs.set(metadata.uid, `${spec?.template.spec?.containers[0]?.image} ${end?.type ?? "unfinished"}`);
  }
  return [...runs.values()];
}

/** A controller that is restarted after a crash, in a cluster with one fault. */
class Life {
  readonly #cluster: TestCluster;
  #running: RunnableHandle;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
    this.#running = this.#start();
  }

  /** Advances the clock and restarts the process after a crash. */
  async pass(ms: number): Promise<void> {
    const { clock, faults } = this.#cluster;
    for (let left = ms; left > 0; left -= TICK_MS) {
      await clock.advance(TICK_MS);
      await this.#cluster.untilIdle();
      if (!faults.isCrashed) continue;
      await this.#running.stop();
      await clock.advance(DOWN_MS);
      faults.restart();
      this.#running = this.#start();
    }
  }

  #start(): RunnableHandle {
    const operands = operandManager();
    // Without its kinds, which exist already.
    return this.#cluster.run({ name: operands.name, start: (world) => operands.start(world) });
  }
}

/** A fault at one write. */
export interface InjectedFault {
  readonly fault: Fault;
  /** Number of the write. */
  readonly nth: number;
}

/**
 * Installs a set with a Job and hooks that all have a TTL, upgrades it and deletes it, under one fault. Checks that each
 * Job completes once for each version that it runs for, and that no objects are left. Returns the number of writes.
 */
export async function runJobLifecycle({ fault, nth }: InjectedFault): Promise<number> {
  await using cluster = await testCluster({ workloads: true, seed: nth, kinds: operandManager().kinds ?? [] });
  const observer = await WatchRecorder.of(cluster.fetch, [Operand, ClusterActiveOperand, ConfigMap]);
  cluster.faults.failNth(nth, fault, isWrite);
  try {
    await liveOnce(cluster);
    new InvariantChecker().observe(observer.take());
    return cluster.faults.count(isWrite);
  } finally {
    await observer.close();
  }
}

async function liveOnce(cluster: TestCluster): Promise<void> {
  const life = new Life(cluster);
  await cluster.apply(Operand, { name: "shop", spec: { steadyState: setOf("1") } });
  await life.pass(90_000);
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  expect(runsOf(cluster, "migrate")).toEqual(["migrate:1 Complete"]);
  await cluster.patch(Operand, "shop", { spec: { steadyState: setOf("2") } });
  await life.pass(90_000);
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  await cluster.delete(Operand, "shop");
  await life.pass(90_000);
  await cluster.untilDeleted(Operand, "shop");
  expect(runsOf(cluster, "migrate")).toEqual(["migrate:1 Complete", "migrate:2 Complete"]);
  expect(runsOf(cluster, "around"), "once before and once after the installation").toEqual([
    "around:1 Complete",
    "around:1 Complete",
  ]);
  expect(runsOf(cluster, "upgrade")).toEqual(["upgrade:1 Complete"]);
  expect(runsOf(cluster, "backup")).toEqual(["backup:1 Complete"]);
  expect([await cluster.list(Job), await cluster.list(Pod), await cluster.get(ConfigMap, "x")]).toEqual([
    [],
    [],
    undefined,
  ]);
}
