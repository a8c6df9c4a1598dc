/** The step engine: what one run of one object is. Begin with `handler.ts`. */

export { isPaused, PAUSED_ANNOTATION, RECONCILE_ANNOTATION } from "./annotations.ts";
export { Budget } from "./budget.ts";
export { CONTESTED, contestResult } from "./contest.ts";
export type { EventSink, Notice } from "./event-sink.ts";
export { resultFinding } from "./finding.ts";
export type { Followed, FollowRule } from "./follow-rule.ts";
export type { WriteConflict } from "./guarded-writer.ts";
export { reconcile } from "./handler.ts";
export { kindWith } from "./kind-with.ts";
export type { KindWith } from "./kind-with.ts";
export { describeRef, refOf, refTo } from "./object-ref.ts";
export type { ObjectRef } from "./object-ref.ts";
export { plan } from "./plan.ts";
export type { Plan } from "./plan.ts";
export type { Reader } from "./reader.ts";
export { reference, selection } from "./reference.ts";
export type { MatchLabels, Reference } from "./reference.ts";
export type { Draft, OutOf, Req, Source, StatusDraft } from "./req.ts";
export { combine, describeResult, fail, ok, requeueAfter, terminal, wait } from "./result.ts";
export type { AnyResult, ConditionOverride, Eventually, Remark, Result } from "./result.ts";
export type { Phase, StepRecord } from "./run.ts";
export type { RunReport } from "./run-report.ts";
export type { RunTools } from "./run-tools.ts";
export { step } from "./step.ts";
export type { Step, StepPhases, StepRule } from "./step.ts";
export { noTracer } from "./tracer.ts";
export type { Tracer } from "./tracer.ts";
