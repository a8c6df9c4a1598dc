import { apiVersionOf } from "@levelset/core";
import type { AnyCustomKind, Kind, Scope } from "@levelset/core";
import type { RunRecord } from "../controller/index.ts";
import { describeResult } from "../engine/index.ts";
import type { AnyResult, ObjectRef, StepPhase } from "../engine/index.ts";

/** Results of a run: those of a step, `again` for a conflict or a new finalizer, `gone` for a deleted object. */
export const RUN_RESULTS = ["ok", "wait", "requeueAfter", "fail", "terminal", "again", "gone"] as const;

/** One of {@link RUN_RESULTS}. */
export type RunResult = (typeof RUN_RESULTS)[number];

/** A run as JSON. `apiVersion`, `kind`, `namespace` and `name` are those of the object. */
export interface RunJson extends ObjectRef {
  readonly controller: string;
  /** Counts the runs of one controller in one process. */
  readonly number: number;
  readonly generation?: number;
  readonly reasons: readonly string[];
  readonly startedAt: string;
  readonly waitedMs: number;
  readonly durationMs: number;
  readonly writes: number;
  readonly result: RunResult;
  readonly message?: string;
  readonly steps: readonly StepJson[];
}

/** The result of one phase of one step as JSON. */
export interface StepJson {
  readonly step: string;
  /** The type of the step's condition. */
  readonly condition: string;
  readonly phase: StepPhase;
  readonly result: AnyResult["kind"];
  readonly message?: string;
  /** The objects that the result is about. */
  readonly on?: readonly ObjectRef[];
  readonly durationMs: number;
}

/** A controller as JSON: all names of its kind, and the kinds of its children. */
export interface ControllerJson {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: Scope;
  /** The kinds of its objects' children. */
  readonly owns: readonly { readonly apiVersion: string; readonly kind: string }[];
}

/** Response of /debug/runs. */
export interface RunsJson {
  readonly controllers: readonly ControllerJson[];
  readonly runs: readonly RunJson[];
}

/** Converts a run record to JSON. */
export function runJson(controller: { readonly name: string; readonly kind: Kind }, record: RunRecord): RunJson {
  const { key, generation, report } = record;
  return {
    controller: controller.name,
    apiVersion: apiVersionOf(controller.kind),
    kind: controller.kind.kind,
    number: record.number,
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    name: key.name,
    ...(generation === undefined ? {} : { generation }),
    reasons: record.reasons,
    startedAt: new Date(record.startedAt).toISOString(),
    waitedMs: record.waitedMs,
    durationMs: record.durationMs,
    writes: report.writes,
    ...(report.kind === "ran" ? resultFields(report.result) : { result: report.kind }),
    steps:
      report.kind === "ran"
        ? report.steps.map(({ step, condition, phase, result, durationMs }) => {
            return { step, condition, phase, ...resultFields(result), ...about(result), durationMs };
          })
        : [],
  };
}

/** Compares runs by start time, and by number for equal times. */
export function compareRuns(a: RunJson, b: RunJson): number {
  return Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.number - b.number;
}

/** Converts a controller to JSON. */
export function controllerJson(controller: {
  readonly name: string;
  readonly kind: AnyCustomKind;
  readonly owns: readonly Kind[];
}): ControllerJson {
  const { group, version, kind, plural, singular, shortNames, scope } = controller.kind;
  return {
    name: controller.name,
    group,
    version,
    kind,
    plural,
    singular,
    shortNames,
    scope,
    owns: controller.owns.map((child) => ({ apiVersion: apiVersionOf(child), kind: child.kind })),
  };
}

function resultFields(result: AnyResult): { readonly result: AnyResult["kind"]; readonly message?: string } {
  const message = describeResult(result);
  return { result: result.kind, ...(message === "" ? {} : { message }) };
}

function about(result: AnyResult): { readonly on?: readonly ObjectRef[] } {
  return result.kind === "ok" || result.on === undefined ? {} : { on: result.on };
}
