import { createApiServer } from "@levelset/apiserver";
import type { MemoryStore } from "@levelset/apiserver";
import type { Fetch } from "@levelset/core";
import type { Violation } from "../violation/index.ts";
import { formatId, idOf } from "../history/index.ts";
import type { Operation } from "../history/index.ts";
import {
  countIncarnations,
  effortOf,
  findDefects,
  findLeftovers,
  findRepeatedCalls,
  findStaleReady,
  findTakenChildren,
  findUnrest,
  ForeignObjects,
  JobRepetitions,
  loopViolation,
  RevertedWrites,
  WorkloadGate,
} from "../oracle/index.ts";
import type { Effort, RestWindow } from "../oracle/index.ts";
import { describeRecord, SimulatedCluster, takeSnapshot } from "../world/index.ts";
import type { CapturedState, ObjectRecord, Snapshot } from "../world/index.ts";
import { armFault, downtimeOf } from "./arm-fault.ts";
import { coveredPhases } from "./covered-phases.ts";
import { describeFault } from "./describe-fault.ts";
import { describeOperation } from "./describe-operation.ts";
import { FoundViolations } from "./found-violations.ts";
import { OperationActor } from "./operation-actor.ts";
import { PhaseFaults } from "./phase-faults.ts";
import { checkProperties, propertyWorld, startMonitors } from "./properties.ts";
import type { RunOptions, RunResult } from "./run-options.ts";
import { RestRecorder } from "./rest-window.ts";
import { RunStory } from "./run-story.ts";
import { reportWhy } from "./why-report.ts";

/** Time until every retry has happened, after the last operation. The second half is the time at rest. */
const SETTLE_MS = 2_400_000;
const RESTART_MS = 120_000;
/** A crash is noticed, and the process replaced, after this time. */
const NOTICE_MS = 1_000;
/** Time after the deletion of each custom resource at the end. */
const DELETION_MS = 60_000;
/** How often during the time after an operation a crash is noticed. */
const SLICES = 4;

/** Performs one history in a new world, with or without faults. */
export class HistoryRun {
  readonly #options: RunOptions;
  readonly #cluster: SimulatedCluster;
  readonly #foreign = new ForeignObjects();
  readonly #actor: OperationActor;
  readonly #jobs = new JobRepetitions();
  readonly #gate = new WorkloadGate();
  readonly #found: FoundViolations;
  readonly #operations: Operation[];
  readonly #refused = new Map<number, string>();
  readonly #writes: number[] = [];
  readonly #efforts: Effort[] = [];
  readonly #reads: number[] = [];
  /** The state before each operation, for API servers that have fallen behind. */
  readonly #past: MemoryStore[] = [];
  readonly #story: RunStory;
  readonly #phaseFaults: PhaseFaults;
  #checkedRevision = -1;

  constructor(options: RunOptions) {
    this.#options = options;
    const { subject, seed, faults, laterMs = 0 } = options;
    this.#operations = [...options.history.operations];
    this.#cluster = new SimulatedCluster({
      store: subject.store.fork(),
      program: subject.open(),
      seed,
      now: subject.now + laterMs,
      workloads: subject.workloads,
      replicas: faults.some(({ kind }) => kind === "leader-change") ? 2 : 1,
      renewsWatches: faults.some(({ kind }) => kind === "freeze-watches"),
    });
    this.#found = new FoundViolations(options.isExplained === true ? () => this.#capture() : undefined);
    this.#story = new RunStory(this.#cluster, subject.isRootKind);
    this.#phaseFaults = new PhaseFaults(this.#cluster);
    this.#actor = new OperationActor(this.#cluster, subject, this.#foreign);
    this.#cluster.journal.subscribe((event) => this.#jobs.observe(event));
    const monitor = startMonitors(options.properties.monitors);
    this.#cluster.journal.subscribe(({ kind, record: { object } }) => {
      options.onObject?.(object);
      const violated = monitor({ kind, object, isDeletedByUser: this.#actor.deleted.has(object.metadata.uid) });
      if (violated !== undefined) this.#found.add(violated);
    });
  }

  /** Performs the history and returns what happened. Call it once. */
  async run(): Promise<RunResult> {
    const cluster = this.#cluster;
    try {
      cluster.start();
      await cluster.untilIdle();
      for (const index of this.#operations.keys()) await this.#perform(index);
      await this.#heal();
      const window = await this.#settle();
      const { after: rest } = window;
      this.#found.reached("rest");
      this.#phaseFaults.rest();
      const incarnations = countIncarnations(cluster.journal, this.#actor.deleted);
      const children = cluster.journal.children().map(({ object }) => object);
      this.#checkRest(window);
      const restarted = this.#options.mode === "watch" ? await this.#restartAtRest() : undefined;
      if (this.#options.mode !== "learn") await this.#deleteRoots(incarnations);
      this.#found.add(...this.#late());
      return { ...this.#result(), rest, restarted, incarnations, children };
    } finally {
      await cluster.close();
    }
  }

  /** Receives an unhandled rejection of the world that does not belong to one of its processes. */
  onRejection(reason: unknown): void {
    for (const each of this.#cluster.processes) each.onRejection(reason);
  }

  #result(): Omit<RunResult, "rest" | "restarted" | "incarnations" | "children"> {
    return {
      operations: this.#operations,
      refused: this.#refused,
      writes: this.#writes,
      efforts: this.#efforts,
      reads: this.#reads,
      fired: this.#cluster.faults.fired,
      isGated: this.#gate.isGated,
      violations: this.#found.all,
      events: this.#story.events,
      covered: coveredPhases(this.#cluster.runs),
      phaseFaults: this.#phaseFaults.pairs(),
      requests: this.#cluster.requests.length,
      why: (violation) =>
        reportWhy(violation, this.#found.stateOf(violation), this.#cluster.journal, this.#options.subject),
    };
  }

  #capture(): CapturedState {
    return { ...this.#cluster.capture(), events: this.#story.events.length };
  }

  /** One operation with its faults, and the time after it. */
  async #perform(index: number): Promise<void> {
    const operation = this.#operations[index];
    if (operation === undefined) return;
    this.#phaseFaults.begin();
    const { clock, requests, writes, reads } = this.#cluster;
    const [first, startedAt] = [requests.length, clock.monotonic()];
    if (this.#options.faults.some(({ kind }) => kind === "stale-restart"))
      this.#past[index] = this.#cluster.forkStore();
    await this.#arm(index);
    const update = this.#story.add("operation", describeOperation(operation));
    const performed = await this.#actor.perform(operation, index);
    this.#operations[index] = performed.operation;
    if (performed.refusal !== undefined) this.#refused.set(index, performed.refusal);
    update(`${describeOperation(performed.operation)}${performed.refusal === undefined ? "" : " (refused)"}`);
    await this.#pass(operation.afterMs);
    this.#writes[index] = this.#cluster.writes - writes;
    this.#reads[index] = this.#cluster.reads - reads;
    this.#efforts[index] = effortOf(describeOperation(operation), requests.slice(first), clock.monotonic() - startedAt);
  }

  async #arm(index: number): Promise<void> {
    for (const fault of this.#options.faults.filter(({ at }) => at === index)) {
      this.#story.add("fault", describeFault(fault));
      await armFault(fault, {
        cluster: this.#cluster,
        staleServer: (back) => this.#staleServer(back),
      });
    }
  }

  #staleServer(back: number): Fetch | undefined {
    const store = this.#past[Math.min(back, this.#past.length - 1)];
    if (store === undefined) return undefined;
    const controllers = { garbageCollector: false, ttlAfterFinished: false };
    return createApiServer({ store: store.fork(), clock: this.#cluster.clock, controllers }).fetch;
  }

  /** Lets time pass. A crashed process is replaced after its downtime. */
  async #pass(ms: number): Promise<void> {
    const cluster = this.#cluster;
    const onStep = (): void => this.#check();
    if (this.#options.faults.length === 0) return cluster.advance(ms, onStep);
    await cluster.untilIdle();
    let left = ms;
    while (left > 0) {
      const slice = Math.min(left, Math.max(NOTICE_MS, ms / SLICES));
      await cluster.advance(slice, onStep);
      left -= slice;
      if (left === 0 || !cluster.processes.some(({ isCrashed }) => isCrashed)) continue;
      const downMs = Math.min(left, downtimeOf(cluster.faults.fired));
      await cluster.advance(downMs, onStep);
      left -= downMs;
      await this.#replaceCrashed();
    }
    await cluster.untilIdle();
  }

  async #replaceCrashed(): Promise<void> {
    for (const each of this.#cluster.processes.filter(({ isCrashed }) => isCrashed)) {
      each.connection.sever();
      await this.#cluster.kill(each);
    }
    this.#cluster.start();
    this.#story.add("process", "a new process starts");
  }

  /** Ends all faults. */
  async #heal(): Promise<void> {
    const cluster = this.#cluster;
    cluster.faults.end();
    cluster.external.endFaults();
    cluster.program.external?.endFaults?.();
    if (cluster.processes.some(({ isCrashed }) => isCrashed)) await this.#replaceCrashed();
    cluster.start();
    await cluster.untilIdle();
  }

  /** Lets time pass until everything has happened, and returns what happens after that. */
  async #settle(): Promise<RestWindow> {
    const cluster = this.#cluster;
    const { subject, extraMs = 0, noise = new Set() } = this.#options;
    await cluster.advance(SETTLE_MS / 2 + extraMs, () => this.#check());
    const before = this.#snapshot();
    const recorder = new RestRecorder(cluster, subject);
    await cluster.advance(SETTLE_MS / 2, () => this.#check());
    return { ...recorder.end(), before, after: this.#snapshot(), noise };
  }

  #checkRest(window: RestWindow): void {
    const { journal, clock, processFailure } = this.#cluster;
    this.#found.add(...findUnrest(window));
    if (this.#options.mode === "learn") return;
    const isObserved = this.#options.mode === "watch" && window.hotLoop === undefined && processFailure === undefined;
    if (isObserved) this.#found.add(...findStaleReady(this.#roots().map(({ object }) => object)));
    this.#found.add(...this.#foreign.check(journal, "rest"));
    const violated = checkProperties(
      this.#options.properties.eventually,
      propertyWorld(journal, clock.now()),
      "eventually",
    );
    if (violated !== undefined) this.#found.add(violated);
  }

  async #restartAtRest(): Promise<Snapshot> {
    const { journal } = this.#cluster;
    const reverted = new RevertedWrites(journal.children(), this.#options.noise ?? new Set());
    journal.subscribe((event) => reverted.observe(event));
    if (this.#options.isRestarted !== false) {
      this.#story.add("process", "the process is restarted at rest");
      await this.#cluster.stop();
      this.#cluster.start();
    }
    await this.#cluster.advance(RESTART_MS, () => this.#check());
    this.#found.add(...reverted.violations(journal.children()));
    this.#found.reached("restarted");
    return this.#snapshot();
  }

  /** Deletes the custom resources of the user one after the other. */
  async #deleteRoots(incarnations: ReadonlyMap<string, number>): Promise<void> {
    const { journal } = this.#cluster;
    const roots = this.#roots();
    this.#cluster.faults.resume();
    const first = this.#options.history.operations.length;
    for (const [at, record] of roots.entries()) {
      const id = idOf(record.object);
      const own = new Set(journal.descendantsOf(record).map(describeRecord));
      this.#operations[first + at] = { do: "delete", id, afterMs: DELETION_MS };
      await this.#perform(first + at);
      if (roots.length === 1 || this.#options.mode !== "watch") continue;
      this.#found.add(
        ...findTakenChildren(formatId(id), own, incarnations, countIncarnations(journal, this.#actor.deleted)),
      );
    }
    await this.#heal();
    await this.#cluster.advance(SETTLE_MS, () => this.#check());
    this.#found.add(...findLeftovers(journal, this.#cluster.program.external));
    this.#found.add(...this.#foreign.check(journal, "end"));
  }

  /** Returns the violations of the whole run. They are added at its end, but may be noticed before. */
  #late(): readonly Violation[] {
    const { requests, logs, processFailure: failure, program, hotLoop } = this.#cluster;
    const { rules } = this.#options.subject;
    const isLoop = hotLoop !== undefined && !this.#found.all.some(({ rule }) => rule === "hot-loop");
    return [
      ...findDefects({ requests, logs, failure, rules }),
      ...findRepeatedCalls(program.external),
      ...this.#jobs.violations,
      ...(isLoop ? [loopViolation(hotLoop)] : []),
      ...this.#gate.violations,
    ];
  }

  /** The custom resources of the user. */
  #roots(): readonly ObjectRecord[] {
    const { journal } = this.#cluster;
    const { isRootKind } = this.#options.subject;
    return journal.present().filter((record) => journal.isOfUser(record) && isRootKind(record.object));
  }

  #snapshot(): Snapshot {
    return takeSnapshot(this.#cluster.journal, this.#options.subject.isRootKind, this.#actor.deleted);
  }

  /** Checks what must hold whenever the cluster is idle. */
  #check(): void {
    const { journal, clock } = this.#cluster;
    this.#found.notice(() => this.#late());
    if (this.#checkedRevision === journal.revision && this.#options.faults.length > 0) return;
    this.#checkedRevision = journal.revision;
    if (this.#options.faults.length === 0) this.#gate.observe(journal, clock.now(), this.#options.subject.isRootKind);
    const { always } = this.#options.properties;
    const violated = checkProperties(always, propertyWorld(journal, clock.now()), "always");
    if (violated !== undefined && !this.#found.all.some(({ object }) => object === violated.object))
      this.#found.add(violated);
  }
}
