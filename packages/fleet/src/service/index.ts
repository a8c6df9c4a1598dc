/** The operations of a fleet, each committed as one change. Begin with `fleet.ts`. */

export { LOCAL_IDENTITY, localCaller } from "./caller.ts";
export type { Caller } from "./caller.ts";
export type { MutationOptions, IdempotentRequest, VersionedResource, ResourceTarget } from "./fleet-context.ts";
export { LABELS_MAX } from "./declare-resource.ts";
export type { Declaration, RequestedPatch } from "./declare-resource.ts";
export { FleetError, invalidFields } from "./fleet-error.ts";
export type { FleetErrorReason } from "./fleet-error.ts";
export { Fleet, FLEET_LIMITS } from "./fleet.ts";
export type { FleetLimits, FleetOptions, HistoryQuery } from "./fleet.ts";
export type { IntakeResult } from "./intake-report.ts";
export type { MutationResult, IdempotencyKey } from "./mutation.ts";
export type { PulseStatus } from "./pulse-status.ts";
export { REFERENCES_MAX } from "./references.ts";
export type { RequestedReferences } from "./references.ts";
export { stableJitter, stableJitterTtl } from "./stable-jitter.ts";
export { UuidSource } from "./uuid.ts";
