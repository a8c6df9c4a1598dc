import { badness, cloneJson, isProgrammingError, keyOf, resetFindings, setFinding } from "@levelset/core";
import type { AnyCustomKind, Clock, Finding, Logger, ObjectKey, ObjectOf } from "@levelset/core";
import type { Client } from "../client/index.ts";
import type { EventSink } from "./event-sink.ts";
import type { Plan } from "./plan.ts";
import type { Reader } from "./reader.ts";
import type { Draft, Req, Source } from "./req.ts";
import { fail } from "./result.ts";
import type { AnyResult } from "./result.ts";
import type { Step } from "./step.ts";
import type { Tracer } from "./tracer.ts";

/** The phases of a step. */
export type Phase = "do" | "cleanup" | "post";

/** What one phase of one step did, for the records. */
export interface StepRecord {
  readonly step: string;
  readonly phase: Phase;
  readonly result: AnyResult;
  readonly durationMs: number;
}

/** What a run may use of the world. */
export interface RunTools {
  readonly client: Client;
  readonly reader: Reader;
  readonly events: EventSink;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * The state of one run: the request that steps see, the conditions as they come in, and a record of every phase. Lives as long as
 * the run and no longer.
 */
export class Run<K extends AnyCustomKind> {
  readonly object: ObjectOf<K>;
  readonly key: ObjectKey;
  readonly records: StepRecord[] = [];
  /** The new status, as far as steps write it. */
  readonly status: Draft<Record<string, unknown>>;
  readonly metadata: Req<K>["metadata"];
  readonly #plan: Plan<K>;
  readonly #tools: RunTools;
  readonly #values = new Map<Source<unknown>, unknown>();
  #findings: readonly Finding[];

  constructor(plan: Plan<K>, object: ObjectOf<K>, tools: RunTools) {
    this.object = object;
    this.key = keyOf(object);
    this.#plan = plan;
    this.#tools = tools;
    this.#findings = resetFindings(plan.conditions);
    const before: Readonly<Record<string, unknown>> = { ...object.status };
    const kept = plan.keeps.filter((name) => before[name] !== undefined);
    this.status = Object.fromEntries(kept.map((name) => [name, cloneJson(before[name])]));
    this.metadata = { labels: { ...object.metadata.labels }, annotations: { ...object.metadata.annotations } };
  }

  /** The conditions so far, in step order. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Sets a condition of this run. */
  set(finding: Finding): void {
    this.#findings = setFinding(this.#findings, finding);
  }

  /** Sets a condition unless the run already knows something worse under that type. */
  setIfWorse(finding: Finding): void {
    const present = this.#findings.find((other) => other.type === finding.type);
    if (present === undefined || badness(finding) < badness(present)) this.set(finding);
  }

  /** Runs one phase of one step. A throw is a failure like any other; a programming error is also logged with its stack. */
  async phase(step: Step<K>, phase: Phase): Promise<AnyResult> {
    const run = step[phase];
    if (run === undefined) return { kind: "ok", value: undefined };
    const { clock, tracer } = this.#tools;
    const logger = this.#tools.logger.with({ step: step.name });
    const startedAt = clock.now();
    let result: AnyResult;
    try {
      result = await tracer.span(`${phase} ${step.name}`, {}, async () => run(this.#req(step, logger)));
    } catch (error) {
      if (isProgrammingError(error)) logger.error("a step has a defect", { phase, error, stack: stackOf(error) });
      result = fail(error);
    }
    this.records.push({ step: step.name, phase, result, durationMs: clock.now() - startedAt });
    if (phase === "do" && result.kind === "ok") this.#values.set(step, result.value);
    return result;
  }

  #req(step: Step<K>, logger: Logger): Req<K> {
    const { object, key } = this;
    return {
      name: key.name,
      namespace: key.namespace,
      object,
      spec: object.spec,
      // The draft is an empty object of the declared shape; what steps put there was checked by the compiler.
      status: this.status as Req<K>["status"],
      metadata: this.metadata,
      client: this.#tools.client,
      get: (kind, otherKey) => this.#tools.reader.get(kind, otherKey),
      event: (notice) => this.#tools.events.tell(object, notice),
      owned: (kind) => this.#tools.reader.owned(kind, object),
      clock: this.#tools.clock,
      signal: this.#tools.signal,
      logger,
      from: <Out>(other: Source<Out>): Out => {
        if (!this.#values.has(other)) {
          throw new TypeError(
            `step ${step.name} reads what step ${other.name} hands over, but that has not run before it`,
          );
        }
        // Only the value that this very step returned is stored under it.
        return this.#values.get(other) as Out;
      },
    };
  }

  /** The steps, in order. */
  get steps(): readonly Step<K>[] {
    return this.#plan.steps;
  }
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
