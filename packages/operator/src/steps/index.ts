/** Reusable steps: children, workloads, Jobs, inputs, dependencies and external resources. Begin with `child/child.ts`. */

export { NOT_OURS } from "./child/apply-child.ts";
export { child } from "./child/child.ts";
export type { ChildStepOptions } from "./child/child.ts";
export { childKinds } from "./child/child-kinds.ts";
export { input } from "./input/input.ts";
export type { InputOptions, ObjectInputOptions, TextInputOptions } from "./input/input.ts";
export type { TextsOut, TextValues } from "./input/input-text.ts";
export { dependency } from "./dependency/dependency.ts";
export type { DependencyCommon, DependencyOptions, DependencySetOptions } from "./dependency/dependency.ts";
export { external } from "./external/external.ts";
export type { ExternalResult, ExternalOptions, DeletionState, ExternalState } from "./external/external.ts";
export { deleteChildren } from "./child/delete-children.ts";
export type { ChildReq } from "./child/child-req.ts";
export { reconcileSubCr } from "./subresource/sub-crs.ts";
export type { SubCrOwnership } from "./subresource/sub-crs.ts";
export { subresource } from "./subresource/subresource.ts";
export type { SubresourceOptions } from "./subresource/subresource.ts";
export { subresources } from "./subresource/subresources.ts";
export type { SubresourcesOptions } from "./subresource/subresources.ts";
export { job } from "./job/job.ts";
export type { JobOptions } from "./job/job.ts";
export { jobRecord } from "./job/job-record.ts";
export type { JobRecord, JobRecordField } from "./job/job-record.ts";
export { workload } from "./child/workload.ts";
export type { WorkloadKind, WorkloadStepOptions } from "./child/workload.ts";
