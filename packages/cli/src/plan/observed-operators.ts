import { formatKey } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";
import { describeResult } from "@levelset/operator/internal";
import { refTo } from "@levelset/operator";
import type { ManagedOperator, ObjectRef, RunRecord } from "@levelset/operator";
import { refId } from "./ref-id.ts";

/** A failure in the latest run of an object. */
export interface RunFailure {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** The step that failed; undefined if the result could not be saved. */
  readonly step: string | undefined;
  readonly message: string;
  /** Whether it is a programming error, such as a TypeError. */
  readonly isDefect: boolean;
}

type AnyController = ReturnType<ManagedOperator["createController"]>;

interface LatestRun {
  readonly kind: Kind;
  readonly record: RunRecord;
}

/** Operators whose controllers and runs can be observed while they run. */
export class ObservedOperators {
  readonly operators: readonly ManagedOperator[];
  readonly #controllers: AnyController[] = [];
  readonly #latest = new Map<string, LatestRun>();

  constructor(operators: readonly ManagedOperator[]) {
    this.operators = operators.map((operator) => this.#observed(operator));
  }

  /** Resolves once every kind that the operators watch is listed. Must be called after they have started. */
  get synced(): Promise<unknown> {
    return Promise.all(this.#controllers.map(({ synced }) => synced));
  }

  /** Number of objects whose steps run, or that are due in the queue of a controller. */
  get unfinished(): number {
    return this.#controllers.reduce((sum, { health }) => sum + health.waiting + health.running, 0);
  }

  /** Whether every controller has been created. */
  get areStarted(): boolean {
    return this.#controllers.length === this.operators.length;
  }

  /** Failures in the latest run of each object. */
  get failures(): readonly RunFailure[] {
    return [...this.#latest.values()].flatMap(failuresOf);
  }

  /** What the latest run of each object waits for, by `refId`. */
  get waits(): ReadonlyMap<string, readonly ObjectRef[]> {
    return new Map([...this.#latest.values()].map((run) => [refId(refTo(run.kind, run.record.key)), waitsOf(run)]));
  }

  #observed(operator: ManagedOperator): ManagedOperator {
    const { kind } = operator.rbac;
    return {
      ...operator,
      createController: (runtime) => {
        const onRun = (record: RunRecord): void => {
          runtime.listener.onRun?.(record);
          this.#latest.set(`${operator.name} ${formatKey(record.key)}`, { kind, record });
        };
        const controller = operator.createController({ ...runtime, listener: { ...runtime.listener, onRun } });
        this.#controllers.push(controller);
        return controller;
      },
    };
  }
}

function waitsOf({ record: { report } }: LatestRun): readonly ObjectRef[] {
  if (report.kind !== "ran") return [];
  return report.steps.flatMap(({ result }) => (result.kind === "ok" ? [] : (result.on ?? [])));
}

function failuresOf({ kind, record: { key, report } }: LatestRun): readonly RunFailure[] {
  if (report.kind !== "ran" || (report.result.kind !== "fail" && report.result.kind !== "terminal")) return [];
  const failed = report.steps.filter(({ result }) => result.kind === "fail" || result.kind === "terminal");
  if (failed.length === 0)
    return [{ kind, key, step: undefined, message: describeResult(report.result), isDefect: false }];
  return failed.map(({ step, result, isDefect }) => ({ kind, key, step, message: describeResult(result), isDefect }));
}
