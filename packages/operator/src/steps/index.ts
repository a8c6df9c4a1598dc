/** Reusable steps: children, workloads, Jobs, inputs, dependencies and external resources. Begin with `child.ts`. */

export { child } from "./child.ts";
export type { ChildStepOptions } from "./child.ts";
export { childKinds } from "./child-kinds.ts";
export { input } from "./input.ts";
export type { InputOptions, ObjectInputOptions, TextInputOptions } from "./input.ts";
export type { TextsOut, TextValues } from "./input-text.ts";
export { dependency } from "./dependency.ts";
export type { DependencyCommon, DependencyOptions, DependencySetOptions } from "./dependency.ts";
export { external } from "./external.ts";
export type { ExternalResult, ExternalOptions, DeletionState, ExternalState } from "./external.ts";
export { deleteChildren } from "./delete-children.ts";
export type { ChildReq } from "./child-req.ts";
export { reconcileSubCr } from "./sub-crs.ts";
export type { SubCrOwnership } from "./sub-crs.ts";
export { subresource } from "./subresource.ts";
export type { SubresourceOptions } from "./subresource.ts";
export { subresources } from "./subresources.ts";
export type { SubresourcesOptions } from "./subresources.ts";
export { job } from "./job.ts";
export type { JobOptions } from "./job.ts";
export { jobRecord } from "./job-record.ts";
export type { JobRecord, JobRecordField } from "./job-record.ts";
export { workload } from "./workload.ts";
export type { WorkloadKind, WorkloadStepOptions } from "./workload.ts";
