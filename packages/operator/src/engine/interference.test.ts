import { findCondition } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "./index.ts";
import type { Step } from "./index.ts";
import { announced } from "./interference.fixture.ts";
import { FINALIZER, Thing } from "./thing.fixture.ts";

/** A write of another client. */
type Interference = (cluster: TestCluster, nth: number) => Promise<unknown>;

const INTERFERENCES: Readonly<Record<string, Interference>> = {
  "metadata that no step uses": (cluster, nth) =>
    cluster.patch(Thing, "a", { metadata: { annotations: { [`other-${nth}`]: "x" } } }),
  "metadata that a step uses": (cluster, nth) =>
    cluster.patch(Thing, "a", { metadata: { annotations: { used: `theirs-${nth}` } } }),
  "a finalizer": async (cluster, nth) => {
    const present = await cluster.get(Thing, "a");
    // New finalizers on an object that is being deleted are Forbidden
    // (k8s.io/apimachinery/pkg/api/validation/objectmeta.go).
    if (present === undefined || present.metadata.deletionTimestamp !== undefined) return;
    const finalizers = [...(present.metadata.finalizers ?? []), `example.dev/${nth}`];
    await cluster.patch(Thing, "a", { metadata: { finalizers } });
  },
  "the status": (cluster, nth) => cluster.patchStatus(Thing, "a", { id: `theirs-${nth}` }),
  "the spec": (cluster, nth) => cluster.patch(Thing, "a", { spec: { mode: `theirs-${nth}` } }),
  "a deletion": (cluster) => cluster.delete(Thing, "a"),
};

/** The object version that a run started from. */
interface Started {
  readonly mode: string;
  readonly generation: number | undefined;
}

/** The result of one object's life under interference. */
interface Life {
  readonly runs: readonly Started[];
  readonly cleanups: number;
  /** Number of requests that the operator sent for the object. */
  readonly requests: number;
  /** Violated expectations. */
  readonly problems: readonly string[];
}

/** Returns the statuses whose observedGeneration or Ready claims a generation that had not run. */
function untrueStatuses(history: readonly ObjectOf<Thing>[], runs: readonly Started[]): readonly string[] {
  const specs = new Map(history.map(({ metadata, spec }) => [metadata.generation, spec.mode]));
  return history.flatMap(({ metadata, status }) => {
    const { observedGeneration = 0, conditions, note = "" } = status ?? {};
    const where = `version ${metadata.resourceVersion} at generation ${observedGeneration}`;
    if (observedGeneration > (metadata.generation ?? 0)) return `${where}: observed before it was there`;
    if (findCondition(conditions, "Ready")?.status !== "True") return [];
    const mode = specs.get(observedGeneration) ?? "";
    const hasRun = runs.some((run) => run.generation === observedGeneration && run.mode === mode);
    return hasRun && note.startsWith(`${mode}/`) ? [] : `${where}: Ready without a run`;
  });
}

/** Returns what is wrong with an object after a minute without interference. */
function unsettled(object: ObjectOf<Thing>): readonly string[] {
  const { metadata, spec, status } = object;
  const problems: string[] = [];
  if (findCondition(status?.conditions, "Ready")?.status !== "True") problems.push("not Ready");
  if (status?.observedGeneration !== metadata.generation) problems.push("not Ready for the latest generation");
  if (status?.note !== `${spec.mode}/${metadata.annotations?.["used"] ?? ""}`) problems.push(`note is ${status?.note}`);
  if (metadata.labels?.["ours"] !== spec.mode) problems.push("our label is lost");
  return problems;
}

/** Returns the writes of the other client before these requests that were lost. */
function lost(interfere: Interference, hits: readonly number[], object: ObjectOf<Thing>): readonly string[] {
  const { annotations = {}, finalizers = [] } = object.metadata;
  return hits
    .filter((nth) => {
      if (interfere === INTERFERENCES["metadata that no step uses"]) return annotations[`other-${nth}`] !== "x";
      return interfere === INTERFERENCES["a finalizer"] && !finalizers.includes(`example.dev/${nth}`);
    })
    .map((nth) => `the write of the other client before request ${nth} is lost`);
}

/** A step that records its runs and stores the number of the last one. */
function storing(runs: Started[], onCleanup: () => void): Step<Thing> {
  return step(Thing, "Store", {
    condition: "StoreReady",
    do: ({ object, spec, status, metadata }) => {
      runs.push({ mode: spec.mode, generation: object.metadata.generation });
      status.note = `${spec.mode}/${object.metadata.annotations?.["used"] ?? ""}`;
      metadata.labels["ours"] = spec.mode;
      return ok();
    },
    cleanup: () => {
      onCleanup();
      return ok();
    },
  });
}

const HITS_MAX = 40;

/**
 * Creates, changes and deletes an object. Another client writes it before each operator request that `isHit` selects.
 */
async function live(interfere: Interference, isHit: (nth: number) => boolean): Promise<Life> {
  await using cluster = await testCluster();
  const runs: Started[] = [];
  const hits: number[] = [];
  const problems: string[] = [];
  let [cleanups, requests] = [0, 0];
  const there = (): Promise<ObjectOf<Thing> | undefined> => cluster.get(Thing, "a");
  const pass = async (): Promise<void> => {
    await cluster.untilIdle();
    await cluster.clock.advance(60_000);
    await cluster.untilIdle();
  };
  const store = storing(runs, () => (cleanups += 1));
  cluster.run(
    announced(operator(Thing, [store]), async ({ nth }) => {
      requests = nth;
      if (!isHit(nth) || hits.length === HITS_MAX) return;
      hits.push(nth);
      if ((await there()) !== undefined) await interfere(cluster, nth);
    }),
  );
  await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
  await cluster.untilIdle();
  if ((await there()) !== undefined) await cluster.patch(Thing, "a", { spec: { mode: "two" } });
  await pass();
  const end = await there();
  const history = cluster.history(Thing, "a");
  if (end !== undefined && end.metadata.deletionTimestamp === undefined) {
    problems.push(...unsettled(end), ...lost(interfere, hits, end));
    await cluster.delete(Thing, "a");
  }
  await pass();
  if ((await there())?.metadata.finalizers?.includes(FINALIZER) === true) problems.push("our finalizer is still there");
  problems.push(...untrueStatuses(history, runs));
  return { runs, cleanups, requests, problems };
}

describe("another client that writes between the requests of a run", () => {
  test.each(Object.entries(INTERFERENCES))("%s, before any one request", async (_, interfere) => {
    const { requests } = await live(interfere, () => false);
    expect(requests).toBeGreaterThan(4);
    for (let nth = 1; nth <= requests + 2; nth++) {
      expect((await live(interfere, (each) => each === nth)).problems).toEqual([]);
    }
  });

  test.each(Object.entries(INTERFERENCES))("%s, before every request up to the fortieth", async (_, interfere) => {
    expect((await live(interfere, () => true)).problems).toEqual([]);
  });

  test("adds no run for metadata that no step uses, besides the run that each of its writes triggers", async () => {
    const interfere: Interference = INTERFERENCES["metadata that no step uses"] ?? (() => Promise.reject(new Error()));
    const { requests, runs } = await live(interfere, () => false);
    for (let nth = 1; nth <= requests; nth++) {
      const disturbed = await live(interfere, (each) => each === nth);
      expect(disturbed.runs.length).toBeLessThanOrEqual(runs.length + 1);
      expect(disturbed.cleanups).toBe(1);
    }
  });
});
