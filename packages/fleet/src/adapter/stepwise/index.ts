/** Adapters made of steps, on the operator's engine. Begin with `stepwise-server.ts`. */

export { adapter, fresh } from "./adapter.ts";
export type { AdapterOptions, Freshness, StepAdapter } from "./adapter.ts";
export { FLEET_GROUP, fleetKind, NAME_ANNOTATION, OWNER_ANNOTATION } from "./fleet-kind.ts";
export type { FleetKindDeclaration } from "./fleet-kind.ts";
export { StepwiseServer } from "./stepwise-server.ts";
export type { StepwiseOptions } from "./stepwise-server.ts";
