/** The step engine: reconciles one object by running its steps; `step` declares what a step is. Begin with `reconcile.ts`. */

export { RECONCILE_ANNOTATION } from "./step/annotations.ts";
export { withRunDeadline } from "./run-deadline.ts";
export { CONTESTED, contestResult } from "./step/contest.ts";
export type { EventSink, EventInput } from "./step/event-sink.ts";
export { CLEANED_UP, NOT_REACHED, resultCondition } from "./step/condition-update.ts";
export type { WatchedObjects, DynamicWatch } from "./step/dynamic-watch.ts";
export { ExternalHeldBack, isHeldBack, makeExternalCall } from "./external-interceptor.ts";
export type {
  EffectHooks,
  ExternalCall,
  ExternalCallObject,
  ExternalInterceptor,
  ExternalVerb,
} from "./external-interceptor.ts";
export type { WriteConflict } from "./guarded-writer.ts";
export { reconcile } from "./reconcile.ts";
export { CLEANUP_SKIPPED, FORCE_CLEANUP_ANNOTATION, forceHint } from "./forced-cleanup.ts";
export { kindWith } from "./step/kind-with.ts";
export type { KindWith } from "./step/kind-with.ts";
export { labelSelectorOf } from "./step/label-query.ts";
export type { LabelQuery, MatchLabels } from "./step/label-query.ts";
export { describeRef, refOf, refTo } from "./step/object-ref.ts";
export type { ObjectRef } from "./step/object-ref.ts";
export { disownChild, hasOrphanFinalizer } from "./orphaning.ts";
export { planSteps } from "./step/step-plan.ts";
export type { DeriveStatus, StepPlan } from "./step/step-plan.ts";
export type { CacheReader } from "./cache-reader.ts";
export { reference, referenceByLabels } from "./step/reference.ts";
export type { Reference } from "./step/reference.ts";
export type { Draft, OutputOf, Req, OutputStep, StatusDraft } from "./step/req.ts";
export { combineResults, describeResult, fail, ok, requeueAfter, terminal, wait } from "./step/result.ts";
export type { AnyResult, ConditionOverride, MaybeAsyncResult, ResultOptions, Result } from "./step/result.ts";
export type { StepRecord } from "./reconcile-run.ts";
export { reportUnwatched } from "./report-unwatched.ts";
export type { RunReport } from "./run-report.ts";
export type { RunDependencies } from "./run-dependencies.ts";
export type { RunningPhase, StepPhase, StepScope } from "./step-scope.ts";
export { step } from "./step/step.ts";
export type { Step, StepOptions, StepPolicyRule } from "./step/step.ts";
export { UndeclaredKindError } from "./step/undeclared-kind.ts";
export type { CacheRead } from "./step/undeclared-kind.ts";
export { noopTracer } from "./tracer.ts";
export type { Tracer } from "./tracer.ts";
