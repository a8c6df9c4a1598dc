import { describeResult } from "../step/index.ts";
import type { AnyResult } from "../step/index.ts";
import type { RunRecord } from "../controller/index.ts";

/** A run as it travels to other processes. */
export interface RunJson {
  readonly controller: string;
  readonly number: number;
  readonly namespace?: string;
  readonly name: string;
  readonly generation?: number;
  readonly reasons: readonly string[];
  readonly startedAt: string;
  readonly waitedMs: number;
  readonly durationMs: number;
  readonly writes: number;
  /** `ok`, `wait`, `requeueAfter`, `fail`, `terminal`, `again` or `gone`. */
  readonly result: string;
  readonly message?: string;
  readonly steps: readonly {
    readonly step: string;
    readonly phase: string;
    readonly result: string;
    readonly message?: string;
    readonly durationMs: number;
  }[];
}

/** A run in words and figures. */
export function runJson(controller: string, record: RunRecord): RunJson {
  const { key, generation, report } = record;
  return {
    controller,
    number: record.number,
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    name: key.name,
    ...(generation === undefined ? {} : { generation }),
    reasons: record.reasons,
    startedAt: new Date(record.startedAt).toISOString(),
    waitedMs: record.waitedMs,
    durationMs: record.durationMs,
    writes: report.writes,
    ...(report.kind === "ran" ? inWords(report.result) : { result: report.kind }),
    steps:
      report.kind === "ran"
        ? report.steps.map(({ step, phase, result, durationMs }) => ({ step, phase, ...inWords(result), durationMs }))
        : [],
  };
}

function inWords(result: AnyResult): { readonly result: string; readonly message?: string } {
  const message = describeResult(result);
  return { result: result.kind, ...(message === "" ? {} : { message }) };
}
