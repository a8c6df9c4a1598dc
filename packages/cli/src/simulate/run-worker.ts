import { InputError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import {
  Campaign,
  isRefusedConnection,
  openProgram,
  refuseNetwork,
  startOperators,
} from "@levelset/simulation/internal";
import type { CoverageJson, RefusedNetwork, SeedResult } from "@levelset/simulation/internal";
import { loadDefaultExports, resolveModuleFile } from "../process/index.ts";
import { coverageDelta, NO_COVERAGE } from "./coverage-delta.ts";
import { readExportedProgram } from "./exported-program.ts";
import { FreshModules, withoutProcessMarks } from "./fresh-modules.ts";
import { isServed } from "./served-sample.ts";
import type { FromWorker, PreparedProgram, SampleSource, SeedFailure, ToWorker, WorkerTask } from "./worker-message.ts";

/** The connection to the parent process. */
export interface ParentChannel {
  readonly send: (message: FromWorker) => void;
  readonly onMessage: (listener: (message: ToWorker) => void) => void;
  /** Calls a function for each unhandled rejection of the process. */
  readonly onRejection: (listener: (reason: unknown) => void) => void;
  readonly memory: () => number;
}

/** Simulates what the parent process asks for, until the parent ends it. */
export function runWorker(channel: ParentChannel, options: { readonly cwd: string; readonly clock: Clock }): void {
  const worker = new Worker(channel, options);
  let earlier = Promise.resolve();
  channel.onMessage((message) => {
    earlier = earlier.then(() => worker.handle(message)).catch((error: unknown) => channel.send(failedMessage(error)));
  });
}

class Worker {
  readonly #channel: ParentChannel;
  readonly #options: { readonly cwd: string; readonly clock: Clock };
  #network: Pick<RefusedNetwork, "take"> = { take: () => [] };
  readonly #rejections: string[] = [];
  #loadRejections: readonly string[] = [];
  #ignored: PreparedProgram["ignored"] = [];
  #campaign: Campaign | undefined;
  #covered: CoverageJson = NO_COVERAGE;

  constructor(channel: ParentChannel, options: { readonly cwd: string; readonly clock: Clock }) {
    this.#channel = channel;
    this.#options = options;
    channel.onRejection((reason) => {
      if (!isRefusedConnection(reason)) this.#rejections.push(withoutProcessMarks(toError(reason).message));
    });
  }

  async handle(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case "prepare":
        this.#beat(message.task.aliveMs);
        return this.#channel.send({ kind: "prepared", program: await this.#prepare(message.task) });
      case "seeds":
        for (const seed of message.seeds) await this.#runSeed(seed);
        return this.#channel.send({ kind: "idle", memory: this.#channel.memory() });
      case "replay": {
        const { violation, run, why } = await this.#prepared.replay(message.case);
        const { events } = run;
        const network = this.#network.take();
        const result = plain({ violation, events, ...(why === undefined ? {} : { why }), network });
        return this.#channel.send({ kind: "replayed", result });
      }
    }
  }

  get #prepared(): Campaign {
    if (this.#campaign === undefined) throw new Error("the worker is not prepared");
    return this.#campaign;
  }

  /** Shows the parent at intervals that the event loop turns. */
  #beat(aliveMs: number): void {
    this.#options.clock.after(aliveMs, () => {
      this.#channel.send({ kind: "alive" });
      this.#beat(aliveMs);
    });
  }

  async #prepare(task: WorkerTask): Promise<PreparedProgram> {
    const { file, samples, areSamplesGiven, ignore } = task;
    const { cwd } = this.#options;
    const path = await resolveModuleFile(file, cwd);
    // Reports errors with their location, and is the only evaluation if modules use top-level await.
    const exported = await loadDefaultExports(file, cwd);
    this.#network = refuseNetwork();
    const modules = new FreshModules(path);
    const isShared = task.isShared === true || usesTopLevelAwait(modules);
    const shared: unknown = exported.length === 1 ? exported[0] : exported;
    const { program, options } = readExportedProgram(file, () => (isShared ? shared : modules.evaluate()));
    this.#channel.send({ kind: "loaded" });
    const served = [...startOperators(openProgram(program)).flatMap(({ kinds }) => kinds), ...(options.kinds ?? [])];
    const found = areSamplesGiven ? samples : samples.filter((sample) => isServed(sample, served));
    const source = sampleSource({ areSamplesGiven, found: found.length, declared: options.samples?.length ?? 0 });
    const ignored = [...new Set([...(options.ignore ?? []), ...ignore])];
    const fileSamples = source === "files" ? found : [];
    const used = source === "declaration" ? (options.samples ?? []) : fileSamples;
    const campaign = await Campaign.prepare(program, { ...options, samples: used, ignore: ignored });
    this.#campaign = campaign;
    this.#loadRejections = this.#rejections.splice(0);
    this.#ignored = ignored;
    const { coverable, neverReady } = campaign;
    return { coverable, neverReady, samples: source, fileSamples, isShared, ignored };
  }

  async #runSeed(seed: number): Promise<void> {
    const campaign = this.#prepared;
    const { failure, runs } = await campaign.runSeed(seed, undefined, (found) =>
      this.#channel.send({ kind: "found", failure: failureOf(found) }),
    );
    const covered = campaign.coverage.toJSON();
    const coverage = coverageDelta(this.#covered, covered);
    this.#covered = covered;
    const network = this.#network.take();
    const outcome = {
      seed,
      runs,
      failure: failure === undefined ? this.#rejected(seed) : failureOf(failure),
      coverage,
      network,
    };
    this.#channel.send({ kind: "outcome", outcome });
  }

  /** Returns a failure if the program rejected promises outside of simulated worlds. One while it is loaded fails every seed. */
  #rejected(seed: number): SeedFailure | undefined {
    const [first] = [...this.#loadRejections, ...this.#rejections.splice(0)];
    if (first === undefined || this.#ignored.includes("process-ended")) return undefined;
    const message = `An unhandled rejection ends the process: ${first}`;
    const violation = { rule: "process-ended", message, expected: "Every promise is awaited." } as const;
    return { kind: "process", seed, violation, output: "" };
  }
}

function sampleSource(samples: {
  readonly areSamplesGiven: boolean;
  readonly found: number;
  readonly declared: number;
}): SampleSource {
  if (samples.areSamplesGiven) return "files";
  if (samples.declared > 0) return "declaration";
  return samples.found > 0 ? "files" : "schemas";
}

function usesTopLevelAwait(modules: FreshModules): boolean {
  try {
    modules.evaluate();
    return false;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_REQUIRE_ASYNC_MODULE") return true;
    throw error;
  }
}

function failureOf(failure: NonNullable<SeedResult["failure"]>): SeedFailure {
  const { seed, violation, case: shrunk, shownCase, run, why, drawn } = failure;
  const { events } = run;
  const explained = why === undefined ? {} : { why };
  return plain({ kind: "case", seed, violation, case: shrunk, shownCase, events, ...explained, drawn });
}

/** Removes what depends on the worker from all texts of a value. */
function plain<Value>(value: Value): Value {
  if (typeof value === "string") return withoutProcessMarks(value) as Value; // a string stays a string
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item)) as Value; // a list stays a list
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item as unknown)])) as Value; // the same fields
}

function failedMessage(thrown: unknown): FromWorker {
  const error = toError(thrown);
  const isInput = error instanceof InputError;
  const hint = isInput ? error.hint : undefined;
  return { kind: "failed", message: withoutProcessMarks(error.message), isInput, hint };
}
