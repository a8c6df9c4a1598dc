import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JobObject } from "./job-child.ts";
import { decideJob, dependsOnStart } from "./job-decision.ts";
import type { JobDecisionInput } from "./job-decision.ts";
import type { JobRecord } from "./job-record.ts";
import { jobStart } from "./job-start.ts";

/** An event around a step. A run that crashes changes the Job, but saves no status. */
type ModelEvent =
  | { readonly kind: "run"; readonly crashes: boolean }
  | { readonly kind: "hash"; readonly hash: string | undefined }
  | { readonly kind: "end"; readonly as: "Complete" | "Failed" }
  | { readonly kind: "delete" };

const happening: fc.Arbitrary<ModelEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("run" as const), crashes: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("hash" as const), hash: fc.constantFrom("1", "2", undefined) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("end" as const), as: fc.constantFrom("Complete", "Failed") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const) }) },
);

/** The parts of a Job that decisions depend on. */
interface ModelJob {
  readonly uid: string;
  readonly hash: string;
  readonly end?: "Complete" | "Failed" | undefined;
  readonly isDeleting: boolean;
  /** True if it has the finalizer that waits for its record. */
  readonly isHeld: boolean;
  /** True if it has the finalizer of a protected child. */
  readonly isProtected: boolean;
}

/** A step, its Job and all Jobs that ever existed. Checks the invariants at every turn. */
class Model {
  readonly #ttl: boolean;
  readonly #protect: boolean;
  readonly #all: ModelJob[] = [];
  #hash: string | undefined = "1";
  #saved: JobRecord | undefined;
  #job: ModelJob | undefined;

  constructor(ttl: boolean, protect: boolean) {
    this.#ttl = ttl;
    this.#protect = protect;
  }

  happen(what: ModelEvent): void {
    switch (what.kind) {
      case "run":
        return this.#run(what.crashes);
      case "hash":
        this.#hash = what.hash;
        return;
      case "end":
        if (this.#job !== undefined && this.#job.end === undefined) this.#change({ ...this.#job, end: what.as });
        return;
      case "delete":
        if (this.#job !== undefined) this.#change({ ...this.#job, isDeleting: true });
    }
  }

  /** Runs until the state is stable, as an operator does. */
  settle(): string {
    for (let turn = 0; turn < 10; turn++) {
      this.happen({ kind: "end", as: "Complete" });
      this.#run(false);
    }
    return this.#next().kind;
  }

  #next(): ReturnType<typeof decideJob> {
    const job = this.#job === undefined ? undefined : objectOf(this.#job, this.#ttl);
    const isProtected = this.#job?.isProtected ?? false;
    return decideJob({
      hash: this.#hash,
      saved: this.#saved,
      job,
      isProtected,
      refreshMs: undefined,
      start: undefined,
      now: 0,
    });
  }

  #run(crashes: boolean): void {
    const decision = this.#next();
    let draft = this.#saved;
    if (decision.kind === "none" && this.#hash !== undefined) this.#start(this.#hash);
    if (decision.kind === "delete") this.#remove();
    if (decision.kind === "ended") {
      const last = this.#all.at(-1);
      expect([last?.hash, last?.end], "the record is of the last run").toEqual([this.#hash, decision.record.result]);
      draft = decision.source === "job" ? undefined : decision.record;
      if (decision.source !== "draft" && this.#job !== undefined) {
        const isProtected = this.#protect && decision.record.result === "Complete" && !this.#ttl;
        this.#change({ ...this.#job, isHeld: false, isProtected });
      }
    }
    if (
      decision.kind === "running" ||
      decision.kind === "record" ||
      (decision.kind === "none" && this.#hash !== undefined)
    ) {
      draft = decision.kind === "record" ? decision.record : undefined;
    }
    if (!crashes) this.#saved = draft;
  }

  #remove(): void {
    const present = this.#present();
    const isNeeded = present.isProtected && present.end === undefined && present.hash === this.#hash;
    expect(isNeeded, "a protected Job is not removed while it runs for the current hash").toBe(false);
    this.#change({ ...present, isDeleting: true, isHeld: false, isProtected: false });
  }

  #start(hash: string): void {
    const last = this.#all.at(-1);
    expect(this.#job, "one at a time").toBeUndefined();
    expect([last?.hash, last?.end], "once for each hash").not.toEqual([hash, "Complete"]);
    this.#job = { uid: String(this.#all.length), hash, isDeleting: false, isHeld: true, isProtected: this.#protect };
    this.#all.push(this.#job);
  }

  #present(): ModelJob {
    if (this.#job === undefined) throw new Error("no Job exists");
    return this.#job;
  }

  #change(job: ModelJob): void {
    this.#all[this.#all.length - 1] = job;
    this.#job = job.isDeleting && !job.isHeld && !job.isProtected ? undefined : job;
  }
}

function objectOf({ uid, hash, end, isDeleting }: ModelJob, ttl: boolean): JobObject {
  const time = "2026-01-01T00:00:00Z";
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: "a",
      uid,
      resourceVersion: "1",
      annotations: { "levelset.dev/hash": hash },
      ...(isDeleting ? { deletionTimestamp: time } : {}),
    },
    spec: { template: { spec: { containers: [] } }, ...(ttl ? { ttlSecondsAfterFinished: 0 } : {}) },
    ...(end === undefined ? {} : { status: { conditions: [{ type: end, status: "True", lastTransitionTime: time }] } }),
  };
}

test("a Job runs once for each hash and the record is of the last run, also with crashes between two writes", () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.boolean(),
      fc.array(happening, { minLength: 15, maxLength: 60 }),
      (ttl, protect, happenings) => {
        const model = new Model(ttl, protect);
        for (const each of happenings) model.happen(each);
        expect(["ended", "none"]).toContain(model.settle());
      },
    ),
    { numRuns: 4_000 },
  );
});

describe("a running Job of an earlier version", () => {
  const createdAt = Date.parse("2026-01-01T00:00:00Z");
  const at = (ms: number): string => new Date(createdAt + ms).toISOString();
  const job = (status: JobObject["status"] = { active: 1 }): JobObject => {
    const made = objectOf({ uid: "0", hash: "1", isDeleting: false, isHeld: true, isProtected: false }, false);
    return { ...made, metadata: { ...made.metadata, creationTimestamp: at(0) }, status };
  };
  const view = (ms: number, more: Partial<JobDecisionInput> = {}): JobDecisionInput => ({
    hash: "2",
    saved: undefined,
    job: job(),
    isProtected: false,
    refreshMs: undefined,
    start: undefined,
    now: createdAt + ms,
    ...more,
  });
  const notStarted = (ms: number): JobDecisionInput["start"] => ({ kind: "not-started", since: createdAt + ms });

  test.for<readonly [string, JobDecisionInput, boolean]>([
    ["is younger than a minute", view(59_000), false],
    ["is a minute old", view(60_000), true],
    ["has ready pods", view(60_000, { job: job({ active: 1, ready: 1 }) }), false],
    ["has pods that ended", view(60_000, { job: job({ active: 1, failed: 1 }) }), false],
    ["has pods that terminate", view(60_000, { job: job({ active: 1, terminating: 1 }) }), false],
    ["was resumed within a minute", view(60_000, { job: job({ active: 1, startTime: at(1_000) }) }), false],
    ["is of the desired version", view(60_000, { hash: "1" }), false],
    ["is not desired any more", view(60_000, { hash: undefined }), false],
  ])(
    "depends on its pods if it is a minute old and its status counts none that started: it %s",
    ([, input, expected]) => {
      expect(dependsOnStart(input)).toBe(expected);
    },
  );

  const stays = { kind: "running", startsWithinMs: undefined };

  test.for<readonly [string, JobDecisionInput, object]>([
    ["waits for its start", view(45_000), { kind: "running", startsWithinMs: 15_000 }],
    ["is deleted", view(60_000, { start: notStarted(0) }), { kind: "delete" }],
    ["waits for a new pod", view(60_000, { start: notStarted(50_000) }), { kind: "running", startsWithinMs: 50_000 }],
    ["stays if it has started", view(60_000, { start: { kind: "started" } }), stays],
    ["stays if its pods are unknown", view(60_000, { start: { kind: "unknown", problem: "" } }), stays],
    ["stays if its pods were not read", view(60_000), stays],
  ])("%s", ([, input, expected]) => {
    expect(decideJob(input)).toMatchObject(expected);
  });

  const pod = (status: object): Parameters<typeof jobStart>[1][number] => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", uid: "p", resourceVersion: "1", creationTimestamp: at(2_000) },
    spec: { containers: [] },
    status,
  });
  const waiting = { name: "main", restartCount: 0, state: { waiting: { reason: "ImagePullBackOff" } } };

  test.for<readonly [string, boolean, readonly object[]]>([
    ["none, because they are refused", false, []],
    ["an unscheduled one", false, [{}]],
    ["one that waits for its image", false, [{ phase: "Pending", containerStatuses: [waiting] }]],
    ["a running one", true, [{ phase: "Running" }]],
    ["an ended one and one that waits", true, [{ phase: "Failed" }, { phase: "Pending" }]],
    ["one on a lost node", true, [{ phase: "Unknown" }]],
    [
      "one with a running init container",
      true,
      [
        {
          phase: "Pending",
          initContainerStatuses: [{ ...waiting, state: { running: {} } }],
          containerStatuses: [waiting],
        },
      ],
    ],
    [
      "one with a completed init container",
      true,
      [{ phase: "Pending", initContainerStatuses: [{ ...waiting, state: { terminated: { exitCode: 0 } } }] }],
    ],
    [
      "one with a restarted container",
      true,
      [{ phase: "Pending", containerStatuses: [{ ...waiting, restartCount: 1 }] }],
    ],
    [
      "one whose container ran before",
      true,
      [{ phase: "Pending", containerStatuses: [{ ...waiting, lastState: { terminated: { exitCode: 1 } } }] }],
    ],
  ])("has started if a container of its pods ever ran, with these pods: %s", ([, isStarted, pods]) => {
    const expected = isStarted
      ? { kind: "started" }
      : { kind: "not-started", since: createdAt + (pods.length === 0 ? 0 : 2_000) };
    expect(jobStart(job({ active: pods.length }), pods.map(pod))).toEqual(expected);
  });

  test("has started if its status counts pods that the server does not list", () => {
    expect(jobStart(job({ active: 1 }), [])).toEqual({ kind: "started" });
  });
});
