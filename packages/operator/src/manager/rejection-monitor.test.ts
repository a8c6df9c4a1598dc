import { EventEmitter } from "node:events";
import { Event, kind, s } from "@levelset/core";
import type { World } from "@levelset/core";
import { memoryLogger } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { ok, step } from "../engine/index.ts";
import { manager, operator } from "./index.ts";
import type { ManagerOptions } from "./index.ts";
// Loaded on demand by the manager; loaded here first, so that no test waits for the disk.
import "./metrics.ts";

const Note = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Note",
  spec: s.object({ isBroken: s.boolean().default(false) }),
});

/** A process whose unhandled rejections the test emits. */
class Rejections extends EventEmitter {
  /** Emits a rejection with the origin of the caller. */
  reject(message: string): void {
    this.emit("unhandledRejection", new Error(message));
  }
}

/** Runs an operator whose step forgets to await a failing promise if its object says so. */
function start(cluster: TestCluster, source: Rejections, options: ManagerOptions = {}) {
  const { logger, lines } = memoryLogger();
  const forget = step(Note, "Forget", {
    do: ({ spec, clock }) => {
      // Simulates a promise that rejects after the step has returned.
      if (spec.isBroken) void clock.sleep(1_000).then(() => source.reject("no connection"));
      return ok();
    },
  });
  const { unhandledRejections } = options;
  const own = manager([operator(Note, [forget])], {
    ...options,
    unhandledRejections: { source, ...unhandledRejections },
  });
  let failure: unknown;
  const run = async (world: World): Promise<void> => {
    await own.start({ ...world, logger }).catch((error: unknown) => {
      failure = error;
    });
  };
  const running = cluster.run({ ...own, start: run });
  return { running, lines, failure: () => failure };
}

describe("an unhandled rejection", () => {
  test("of a step is logged with step and object, counted, shown in an Event, and the operator continues", async () => {
    await using cluster = await testCluster();
    const source = new Rejections();
    let url = "";
    const onEndpoints = (where: string): void => {
      url = where;
    };
    const { lines, failure } = start(cluster, source, { endpoints: { port: 0 }, onEndpoints });
    await cluster.apply(Note, { name: "a", spec: { isBroken: true } });
    await cluster.apply(Note, { name: "b", spec: { isBroken: true } });
    await expect.poll(() => url).not.toBe("");
    expect(await cluster.untilSettled(Note, "a")).toBeReady();
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    const found = lines.filter(({ message }) => message === "unhandled rejection in a step: await its promises");
    expect(found.map(({ level, fields: { name, step: by, phase } }) => [level, name, by, phase])).toEqual([
      ["error", "a", "Forget", "do"],
      ["error", "b", "Forget", "do"],
    ]);
    const events = (await cluster.list(Event)).filter(({ reason }) => reason === "UnhandledRejection");
    expect(events.map(({ type, involvedObject, message }) => [type, involvedObject.name, message])).toEqual([
      ["Warning", "a", "do of step Forget does not await a promise, which rejected: no connection"],
      ["Warning", "b", "do of step Forget does not await a promise, which rejected: no connection"],
    ]);
    const figures = await (await fetch(`${url}/metrics`)).text();
    expect(figures).toContain('levelset_step_defects_total{controller="note",step="Forget"} 2');
    await cluster.apply(Note, { name: "c", spec: {} });
    expect(await cluster.untilSettled(Note, "c")).toBeReady();
    expect(failure()).toBeUndefined();
  });

  test("of unknown origin is logged; a second one within a minute ends the operators", async () => {
    await using cluster = await testCluster();
    const source = new Rejections();
    const { lines, failure } = start(cluster, source, {
      leaderElection: { namespace: "default", name: "notes", identity: "one" },
    });
    await cluster.apply(Note, { name: "a", spec: {} });
    expect(await cluster.untilSettled(Note, "a")).toBeReady();
    source.reject("first");
    await cluster.clock.advance(60_000);
    source.reject("second");
    await cluster.clock.advance(59_000);
    expect(failure()).toBeUndefined();
    source.reject("third");
    await cluster.clock.advance(5_000);
    expect(failure()).toMatchObject({
      message: "2 unhandled rejections within a minute, the last one: third; await every promise",
    });
    const logged = lines.filter(({ message }) => message === "unhandled rejection of unknown origin");
    expect(logged).toHaveLength(3);
    expect(source.listenerCount("unhandledRejection")).toBe(0);
  });

  test("of unknown origin ends the operators at the configured number", async () => {
    await using cluster = await testCluster();
    const source = new Rejections();
    const { failure } = start(cluster, source, { unhandledRejections: { max: 1 } });
    await cluster.untilIdle();
    source.reject("first");
    await cluster.untilIdle();
    expect(failure()).toMatchObject({ message: "unhandled rejection: first; await every promise" });
  });

  test("of a step of another manager in the process is left to that one", async () => {
    await using cluster = await testCluster();
    const source = new Rejections();
    const broken = start(cluster, source, { namespaces: ["default"], unhandledRejections: { max: 1 } });
    const other = start(cluster, source, { namespaces: ["other"], unhandledRejections: { max: 1 } });
    await cluster.apply(Note, { name: "a", spec: { isBroken: true } });
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    expect([broken.failure(), other.failure()]).toEqual([undefined, undefined]);
    await broken.running.stop();
    await other.running.stop();
    expect(source.listenerCount("unhandledRejection")).toBe(0);
  });
});
