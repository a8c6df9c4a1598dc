/** What may be done to a fleet, each as one change. Begin with `fleet.ts`. */

export { LOCAL_IDENTITY, localCaller } from "./caller.ts";
export type { Caller } from "./caller.ts";
export type { MutationOptions, Once, Seen, Target } from "./context.ts";
export { LABELS_MAX } from "./declare.ts";
export type { Declaration, WantedPatch } from "./declare.ts";
export { FleetError, invalid } from "./fleet-error.ts";
export type { FleetErrorReason } from "./fleet-error.ts";
export { Fleet, FLEET_LIMITS } from "./fleet.ts";
export type { FleetLimits, FleetOptions, HistoryQuery } from "./fleet.ts";
export type { Reported } from "./intake.ts";
export type { Done, OnceKey } from "./mutation.ts";
export type { PulseNote } from "./pulse.ts";
export { REFERENCES_MAX } from "./references.ts";
export type { WantedReferences } from "./references.ts";
export { spread, spreadTtl } from "./spread.ts";
export { UuidSource } from "./uuid.ts";
