import { formatKey } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";
import { describeResult } from "@levelset/operator/internal";
import type { ManagedOperator, RunRecord } from "@levelset/operator";

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

  /** Whether a controller runs steps, or has objects in its queue that are due. */
  get isBusy(): boolean {
    return this.#controllers.some(({ health }) => health.waiting + health.running > 0);
  }

  /** Whether every controller has been created. */
  get areStarted(): boolean {
    return this.#controllers.length === this.operators.length;
  }

  /** Failures in the latest run of each object. */
  get failures(): readonly RunFailure[] {
    return [...this.#latest.values()].flatMap(failuresOf);
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

function failuresOf({ kind, record: { key, report } }: LatestRun): readonly RunFailure[] {
  if (report.kind !== "ran" || (report.result.kind !== "fail" && report.result.kind !== "terminal")) return [];
  const failed = report.steps.filter(({ result }) => result.kind === "fail" || result.kind === "terminal");
  if (failed.length === 0)
    return [{ kind, key, step: undefined, message: describeResult(report.result), isDefect: false }];
  return failed.map(({ step, result, isDefect }) => ({ kind, key, step, message: describeResult(result), isDefect }));
}
