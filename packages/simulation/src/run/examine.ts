import type { JsonObject, KubeObject } from "@levelset/core";
import type { FaultSites, PlannedFault } from "../fault/index.ts";
import type { Violation, SimulationRule } from "../violation/index.ts";
import { freshHistory, idOf } from "../history/index.ts";
import type { History, Manifest, Operation } from "../history/index.ts";
import { compareEnds, findExcess, findReplaced, isHealthy } from "../oracle/index.ts";
import type { Ends } from "../oracle/index.ts";
import type { Subject } from "../subject/index.ts";
import { compareSnapshots, noiseKey } from "../world/index.ts";
import { runHistory } from "./run-history.ts";
import type { Properties } from "./properties.ts";
import type { RunResult } from "./run-options.ts";
import { StoryRedactor } from "./story-redactor.ts";
import type { WhyReport } from "./why-report.ts";

/** A history and the faults during it. */
export interface Case {
  readonly history: History;
  readonly faults: readonly PlannedFault[];
  /** Seed of names, uids and jitter. */
  readonly seed: number;
}

/** What is known about a subject from runs of its samples. Equal for all seeds, so that their results do not depend on each other. */
export interface Knowledge {
  /** Paths that differ between equal worlds: random values, times, counters. */
  readonly noise: ReadonlySet<string>;
  /** Whether Ready waits for workloads, in all runs. */
  readonly isGated: boolean;
  /** The Secrets of the samples and of their operators: histories may contain copies of them. */
  readonly secrets: readonly JsonObject[];
}

/** Options of {@link examine}. */
export interface ExamineOptions {
  readonly subject: Subject;
  readonly knowledge: Knowledge;
  readonly properties: Properties;
  /** Rules that are not checked. */
  readonly ignored: ReadonlySet<SimulationRule>;
  /** Whether a violation is explained. Default: false, because it costs time and memory in every run. */
  readonly isExplained?: boolean;
}

/** The result of an examination. */
export interface Examination {
  /** The first violated rule; undefined if all hold. */
  readonly violation: Violation | undefined;
  /** The run that violated it, or the last one. */
  readonly run: RunResult;
  /** When the violation was found, and the custom resources that it concerns. Absent if it is not explained. */
  readonly why?: WhyReport;
  /** The case with the faults that were drawn. */
  readonly case: Case;
  /** The case without the values of Secrets, for people. It cannot be replayed. */
  readonly shownCase: Case;
  readonly runs: number;
}

/** Other uids, names and times than those of the first run, to learn what differs between equal worlds. */
const NOISE_SEED = 777_777;
const NOISE_LATER_MS = 8 * 86_400_000 + 4_321_000;
const NAME_MAX = 50;
/** The first characters of a long name: inputs that refer to an object of a sample by its name do not match either. */
const SHORT_NAME = 8;
const DECOY_MS = 120_000;
const LATER_MS = 1_700_000;

/**
 * Performs a history without faults, compares its end with that of the shortest history, and then performs it with
 * faults. `plan` returns the faults for the requests that the first run made.
 */
export async function examine(
  { history, seed }: Omit<Case, "faults">,
  plan: (sites: FaultSites) => readonly PlannedFault[],
  options: ExamineOptions,
): Promise<Examination> {
  return new Examiner(history, seed, options).examine(plan);
}

class Examiner {
  readonly #history: History;
  readonly #seed: number;
  readonly #options: ExamineOptions;
  readonly #noise: Set<string>;
  /** Shared by all runs, because a violation compares several of them. */
  readonly #redactor: StoryRedactor;
  #isGated: boolean;
  #runs = 0;

  constructor(history: History, seed: number, options: ExamineOptions) {
    this.#noise = new Set(options.knowledge.noise);
    this.#isGated = options.knowledge.isGated;
    this.#redactor = new StoryRedactor(history, options.knowledge.secrets);
    this.#history = history;
    this.#seed = seed;
    this.#options = options;
  }

  async examine(plan: (sites: FaultSites) => readonly PlannedFault[]): Promise<Examination> {
    const { isExplained = false } = this.#options;
    const reference = await this.#run(this.#history, { mode: "watch", isExplained });
    const fresh = await this.#freshRun(reference);
    this.#isGated &&= fresh.isGated !== false;
    const found = this.#first([
      await this.#compareShortName(fresh, reference),
      ...reference.violations,
      findExcess(fresh.efforts, reference.efforts),
      await this.#comparePath(fresh, reference),
      await this.#compareRestart(reference),
    ]);
    if (found !== undefined) return this.#done(found, reference, []);
    const hasExternal = this.#options.subject.open().external !== undefined;
    const faults = plan({
      writes: reference.writes,
      reads: reference.reads,
      hasExternal,
      totalMs: totalMs(this.#history),
    });
    if (faults.length === 0) return this.#done(undefined, reference, faults);
    const resolved = { operations: reference.operations.slice(0, this.#history.operations.length) };
    const faulty = await this.#run(resolved, { mode: "faults", faults, isExplained });
    const broken = this.#first([
      ...faulty.violations,
      await this.#compareFaults(reference, faulty, resolved, faults),
      // Children of an object that is not Ready may depend on the history.
      ...(isHealthy(reference.rest) && this.#isSameHistory(reference, faulty)
        ? findReplaced(reference, faulty, "under faults")
        : []),
    ]);
    return this.#done(broken, faulty, faults);
  }

  async #done(violation: Violation | undefined, run: RunResult, faults: readonly PlannedFault[]): Promise<Examination> {
    const why = violation === undefined ? undefined : await run.why(violation);
    const examined = { history: this.#history, faults, seed: this.#seed };
    return {
      violation: violation && this.#redactor.violation(violation),
      run: { ...run, events: this.#redactor.events(run.events) },
      ...(why === undefined ? {} : { why: this.#redactor.why(why) }),
      case: examined,
      shownCase: { ...examined, history: this.#redactor.history(this.#history) },
      runs: this.#runs,
    };
  }

  #first(violations: readonly (Violation | undefined)[]): Violation | undefined {
    return violations.find((violation) => violation !== undefined && this.#counts(violation));
  }

  /** The time that passes before ends that differ are compared again. A step of the wall clock does not end timers. */
  get #laterMs(): number {
    return LATER_MS + forwardMs(this.#history);
  }

  #counts({ rule }: Violation): boolean {
    if (this.#options.ignored.has(rule)) return false;
    return rule !== "ready-before-workload" || this.#isGated;
  }

  #run(
    history: History,
    how: Pick<Parameters<typeof runHistory>[0], "mode"> & Partial<Parameters<typeof runHistory>[0]>,
  ): Promise<RunResult> {
    this.#runs += 1;
    const { subject, properties } = this.#options;
    const onObject = (object: KubeObject): void => this.#redactor.addObject(object);
    return runHistory({
      subject,
      properties,
      history,
      faults: [],
      seed: this.#seed,
      noise: this.#noise,
      onObject,
      ...how,
    });
  }

  #freshHistory(reference: RunResult): History {
    const { subject } = this.#options;
    return freshHistory(this.#history, reference.refused, subject.isRootKind);
  }

  #freshRun(reference: RunResult): Promise<RunResult> {
    return this.#run(this.#freshHistory(reference), { mode: "learn" });
  }

  async #comparePath(fresh: RunResult, reference: RunResult): Promise<Violation | undefined> {
    const ends = { rule: "path-changes-the-end", actualIs: "after this history" } as const;
    const expectedIs = "that of a new cluster with the same objects";
    return this.#compareWithNoise({ ...ends, expectedIs }, reference, [fresh, reference], async (extraMs) => [
      await this.#run(this.#freshHistory(reference), { mode: "learn", extraMs }),
      await this.#run(this.#history, { mode: "watch", extraMs }),
    ]);
  }

  /** An object with a long name must be as healthy as one with a short name. */
  async #compareShortName(fresh: RunResult, reference: RunResult): Promise<Violation | undefined> {
    const { operations } = this.#freshHistory(reference);
    const isLong = ({ metadata: { name } }: Manifest): boolean => name.length > NAME_MAX;
    const long = operations.find((each) => each.do === "create" && isLong(each.object));
    if (long === undefined || long.do !== "create" || ![...fresh.rest.roots.values()].includes(false)) return undefined;
    const short = operations.map((each) =>
      each.do === "create" && isLong(each.object)
        ? { ...each, object: withName(each.object, each.object.metadata.name.slice(0, SHORT_NAME)) }
        : each,
    );
    const other = await this.#run({ operations: short }, { mode: "learn" });
    if (![...other.rest.roots.values()].every(Boolean)) return undefined;
    const { name } = idOf(long.object);
    return {
      rule: "long-name-unhealthy",
      message: `${long.object.kind} is not Ready with a name of ${name.length} characters, and Ready with a short one.`,
      expected: "Names of up to 253 characters work: derive names and labels with childName.",
      object: long.object.kind,
    };
  }

  async #compareRestart(reference: RunResult): Promise<Violation | undefined> {
    const { rest, restarted } = reference;
    if (restarted === undefined) return undefined;
    if (compareSnapshots(rest, restarted, this.#noise).length === 0) return undefined;
    // Time has passed, too: compare with the same time without a restart, and again after the longest usual timer.
    const first = await this.#compareWithControl(reference, 0);
    if (first === undefined) return undefined;
    const extraMs = this.#laterMs;
    return this.#compareWithControl(await this.#run(this.#history, { mode: "watch", extraMs }), extraMs);
  }

  async #compareWithControl(reference: RunResult, extraMs: number): Promise<Violation | undefined> {
    const control = await this.#run(this.#history, { mode: "watch", isRestarted: false, extraMs });
    return compareEnds({
      expected: control.restarted ?? control.rest,
      actual: reference.restarted ?? reference.rest,
      noise: this.#noise,
      rule: "restart-changes-the-end",
      actualIs: "after a restart at rest",
      expectedIs: "without a restart: a watch or a timer is missing, or the result depends on the process",
    });
  }

  /**
   * Reports whether the same operations had an effect in two runs. A user cannot create an object again while the old one
   * is still being deleted, nor delete a child before it exists, and faults change when that is.
   */
  #isSameHistory(one: RunResult, other: RunResult): boolean {
    return this.#history.operations.every(
      ({ do: action }, index) => action === "lose-pods" || one.refused.has(index) === other.refused.has(index),
    );
  }

  async #compareFaults(
    reference: RunResult,
    faulty: RunResult,
    resolved: History,
    faults: readonly PlannedFault[],
  ): Promise<Violation | undefined> {
    if (!this.#isSameHistory(reference, faulty)) return undefined;
    const ends = { rule: "faults-change-the-end", actualIs: "after faults" } as const;
    const expectedIs = "that of the same history without faults";
    return this.#compareWithNoise({ ...ends, expectedIs }, reference, [reference, faulty], async (extraMs) => [
      await this.#run(this.#history, { mode: "watch", extraMs }),
      await this.#run(resolved, { mode: "faults", faults, extraMs }),
    ]);
  }

  /**
   * Compares two ends. Before it reports a difference, it learns which paths differ between equal worlds, and lets more
   * time pass, because a timer may end right when the state is read.
   */
  async #compareWithNoise(
    ends: Omit<Ends, "noise" | "expected" | "actual">,
    reference: RunResult,
    [expected, actual]: readonly [RunResult, RunResult],
    later: (extraMs: number) => Promise<readonly [RunResult, RunResult]>,
  ): Promise<Violation | undefined> {
    const noise = this.#noise;
    const compare = (one: RunResult, other: RunResult): Violation | undefined =>
      compareEnds({ ...ends, noise, expected: one.rest, actual: other.rest });
    if (compare(expected, actual) === undefined) return undefined;
    const history = this.#freshHistory(reference);
    const one = await this.#run(history, { mode: "learn" });
    this.#runs += 1;
    for (const path of await learnNoise(history, one, this.#seed, this.#options)) noise.add(path);
    if (compare(expected, actual) === undefined) return undefined;
    const [laterExpected, laterActual] = await later(this.#laterMs);
    return compare(laterExpected, laterActual);
  }
}

/** Returns the paths at which a second run of a history without faults differs: with other names, times and uids. */
export async function learnNoise(
  history: History,
  one: RunResult,
  seed: number,
  { subject, properties }: Pick<ExamineOptions, "subject" | "properties">,
): Promise<readonly string[]> {
  const other = await runHistory({
    subject,
    properties,
    history: withDecoy(history),
    faults: [],
    mode: "learn",
    seed: seed + NOISE_SEED,
    laterMs: NOISE_LATER_MS,
  });
  return compareSnapshots(one.rest, other.rest).map(noiseKey);
}

/** Returns the history after an unrelated object was created and deleted: external systems have counted one more. */
function withDecoy({ operations }: History): History {
  const first = operations.find((each) => each.do === "create" && each.object["spec"] !== undefined);
  if (first === undefined || first.do !== "create") return { operations };
  const object = { ...first.object, metadata: { ...first.object.metadata, name: "decoy" } };
  const prelude: readonly Operation[] = [
    { do: "create", object, afterMs: DECOY_MS },
    { do: "delete", id: idOf(object), afterMs: DECOY_MS },
  ];
  return { operations: [...prelude, ...operations] };
}

/** By how much the wall clock steps forward. */
function forwardMs({ operations }: History): number {
  return operations.reduce((sum, each) => sum + (each.do === "step-clock" ? Math.max(0, each.ms) : 0), 0);
}

function withName(object: Manifest, name: string): Manifest {
  return { ...object, metadata: { ...object.metadata, name } };
}

function totalMs({ operations }: History): number {
  return operations.reduce((sum, { afterMs }) => sum + afterMs, 0);
}
