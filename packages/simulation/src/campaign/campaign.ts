import { realClock } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { drawFaults } from "../fault/index.ts";
import type { Violation, SimulationRule } from "../violation/index.ts";
import { drawHistory } from "../history/index.ts";
import type { Manifest } from "../history/index.ts";
import { examine } from "../run/index.ts";
import type { Case, Examination, ExamineOptions, Properties, WhyReport } from "../run/index.ts";
import { OPERAND_GROUP } from "@levelset/operator/internal";
import { prepareSubject } from "../subject/index.ts";
import { withoutNetwork } from "../world/index.ts";
import type { SimulatedProgram, SubjectOptions } from "../subject/index.ts";
import { coverableOf } from "./coverable.ts";
import { CoverageCounter } from "./coverage.ts";
import type { Coverable } from "./coverage.ts";
import { prepareMaterial } from "./material.ts";
import type { PreparedMaterial } from "./material.ts";
import { isSameViolation } from "./same-violation.ts";
import { shrinkCase } from "./shrink.ts";

/** What is simulated and how. */
export interface CampaignOptions extends SubjectOptions, Partial<Properties> {
  /**
   * Objects that users create: custom resources, and the inputs that they need. Default: drawn from the schemas. Custom
   * resources of the same name are versions of one object, between which users change.
   */
  readonly samples?: readonly Manifest[];
  /** Rules that are not checked. */
  readonly ignore?: readonly SimulationRule[];
  /**
   * Paths that may depend on the history, with all paths below them: `PersistentVolumeClaim
   * spec.resources.requests.storage`, or `Operand` for a whole kind.
   */
  readonly ignorePaths?: readonly string[];
}

/** A violated rule with the smallest case that violates it. */
export interface Failure {
  readonly seed: number;
  readonly violation: Violation;
  readonly case: Case;
  /** The run that violates it. */
  readonly run: Examination["run"];
  /** When the violation was found, and the custom resources that it concerns. */
  readonly why?: WhyReport;
  /** How many operations and faults the case had before it was shrunk. */
  readonly drawn: { readonly operations: number; readonly faults: number };
}

/** A failure, and its case without the values of Secrets. */
export interface ShownFailure extends Failure, Pick<Examination, "shownCase"> {}

/** The result of one seed. */
export interface SeedResult {
  readonly seed: number;
  readonly failure: ShownFailure | undefined;
  /** Simulated worlds. */
  readonly runs: number;
}

/** Multiplier of seeds: neighbours would draw similar first numbers. */
const SEED_FACTOR = 0x9e37_79b1;

/**
 * What Operands record about their earlier versions. The names of inventories depend on which Operand was first, and
 * namespaces are never pruned.
 */
const HISTORY_PATHS = [
  "Namespace",
  "ClusterActiveOperand",
  "Operand status.collisionCount",
  "Operand status.latestCreatedActiveOperand",
  "Operand status.latestReadyActiveOperand",
  "Operand status.history",
  "Operand status.installedSteadyStateGeneration",
  "Operand status.jobs",
  "Operand status.counts.pruned",
  "OperandRevision",
];

/** A program that is ready to be simulated. The result of a seed does not depend on other seeds. */
export class Campaign {
  readonly coverable: Coverable;
  /** Kinds none of whose samples became ready. */
  readonly neverReady: readonly string[];
  readonly coverage: CoverageCounter = new CoverageCounter();
  readonly #prepared: PreparedMaterial;
  readonly #examine: ExamineOptions;

  private constructor(prepared: PreparedMaterial, examineOptions: ExamineOptions) {
    this.#prepared = prepared;
    this.#examine = examineOptions;
    this.neverReady = prepared.neverReady;
    this.coverable = coverableOf(examineOptions.subject);
  }

  /** Installs the kinds of a program in a cluster and creates its samples once. */
  static prepare(program: SimulatedProgram, options: CampaignOptions = {}): Promise<Campaign> {
    return withoutNetwork(() => Campaign.#prepare(program, options));
  }

  static async #prepare(program: SimulatedProgram, options: CampaignOptions): Promise<Campaign> {
    const namespaces = (options.samples ?? []).flatMap(({ metadata: { namespace } }) => namespace ?? []);
    const subject = await prepareSubject(program, { ...options, namespaces });
    const ignored = new Set(options.ignore ?? []);
    const hasLongNames = !ignored.has("long-name-unhealthy");
    const prepared = await prepareMaterial(subject, options.samples ?? [], { hasLongNames });
    const noise = new Set([
      ...prepared.knowledge.noise,
      ...(subject.kinds.some(({ group }) => group === OPERAND_GROUP) ? HISTORY_PATHS : []),
      ...(options.ignorePaths ?? []),
    ]);
    const { always = {}, eventually = {}, monitors = {} } = options;
    const properties = { always, eventually, monitors };
    return new Campaign(prepared, { subject, properties, ignored, knowledge: { ...prepared.knowledge, noise } });
  }

  /**
   * Simulates the history of a seed, and shrinks it if it violates a rule. `onFailure` is called when the violation is
   * found and with each smaller case; a signal that aborts ends the shrinking.
   */
  async runSeed(seed: number, signal?: AbortSignal, onFailure?: (failure: ShownFailure) => void): Promise<SeedResult> {
    const examination = await this.examineSeed(seed);
    const { violation, runs } = examination;
    if (violation === undefined) return { seed, failure: undefined, runs };
    return { seed, failure: await this.#shrink({ ...examination, violation }, signal, onFailure), runs };
  }

  /** Simulates the history of a seed, and returns the case as it was drawn. */
  async examineSeed(seed: number): Promise<Examination> {
    const random = seededRandom(Math.imul(seed, SEED_FACTOR));
    const history = drawHistory(random, this.#prepared.material);
    const examination = await withoutNetwork(() =>
      examine({ history, seed }, (sites) => drawFaults(random, sites), this.#examine),
    );
    this.coverage.add(examination);
    return examination;
  }

  /** Performs a recorded case, and explains its violation. */
  replay(recorded: Case): Promise<Examination> {
    return this.#perform(recorded, { isExplained: true });
  }

  #perform({ history, faults, seed }: Case, how: Pick<ExamineOptions, "isExplained"> = {}): Promise<Examination> {
    return withoutNetwork(() => examine({ history, seed }, () => faults, { ...this.#examine, ...how }));
  }

  async #shrink(
    found: Violating,
    signal: AbortSignal | undefined,
    onFailure: ((failure: ShownFailure) => void) | undefined,
  ): Promise<ShownFailure> {
    const { history, faults, seed } = found.case;
    const drawn = { operations: history.operations.length, faults: faults.length };
    const failureOf = ({ violation, run, why, case: failing, shownCase }: Violating): ShownFailure => {
      return { seed, violation, case: failing, shownCase, run, ...(why === undefined ? {} : { why }), drawn };
    };
    let best = found;
    onFailure?.(failureOf(best));
    await shrinkCase(
      found.case,
      async (smaller) => {
        const again = sameViolation(await this.#perform(smaller), found);
        if (again === undefined) return false;
        best = again;
        onFailure?.(failureOf(best));
        return true;
      },
      signal,
    );
    if (signal?.aborted === true) return failureOf(best);
    return failureOf(
      (await this.#explain(resolvedCase(best), found)) ?? (await this.#explain(best.case, found)) ?? best,
    );
  }

  /** Performs a case once more with an explanation. Returns undefined if it does not fail in the same way. */
  async #explain(shown: Case, found: Violating): Promise<Violating | undefined> {
    return sameViolation(await this.replay(shown), found);
  }
}

/** An examination that has found a violation. */
type Violating = Examination & { readonly violation: Violation };

/** Returns the case with the children that its operations selected, which its story names. */
function resolvedCase({ run, case: failing }: Violating): Case {
  return { ...failing, history: { operations: run.operations.slice(0, failing.history.operations.length) } };
}

/** Returns an examination if its violation is of the same bug. */
function sameViolation(examination: Examination, found: Violating): Violating | undefined {
  const { violation } = examination;
  if (violation === undefined || !isSameViolation(violation, found.violation)) return undefined;
  return { ...examination, violation };
}

/** Limits of a simulation, and its progress. */
export interface SeedOptions {
  /** Number of histories. Default: 100. */
  readonly seeds?: number;
  /** The first seed. Default: 1. */
  readonly firstSeed?: number;
  /** Stops after this time. Default: no limit. */
  readonly minutes?: number;
  /** Stops after this number of failures. Default: 1. */
  readonly failures?: number;
  readonly signal?: AbortSignal;
  /** Clock of `minutes`. Default: the real one. */
  readonly clock?: Clock;
  readonly onSeed?: (result: SeedResult) => void;
}

/** Runs seeds one after the other until a limit is reached. */
export async function runSeeds(campaign: Campaign, options: SeedOptions = {}): Promise<readonly SeedResult[]> {
  const { seeds = 100, firstSeed = 1, minutes = Number.POSITIVE_INFINITY, failures = 1, signal } = options;
  const { clock = realClock, onSeed } = options;
  const until = clock.monotonic() + minutes * 60_000;
  const results: SeedResult[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    if (signal?.aborted === true || clock.monotonic() >= until) break;
    const result = await campaign.runSeed(seed, signal);
    results.push(result);
    onSeed?.(result);
    if (results.filter(({ failure }) => failure !== undefined).length >= failures) break;
  }
  return results;
}
