/** Adapters made of steps, on the operator engine. Begin with `step-adapter-server.ts`. */

export { adapter, fresh } from "./adapter.ts";
export type { AdapterOptions, Freshness, StepAdapter } from "./adapter.ts";
export { FLEET_GROUP, fleetKind, NAME_ANNOTATION, OWNER_ANNOTATION } from "./fleet-kind.ts";
export type { FleetKindDeclaration } from "./fleet-kind.ts";
export { StepAdapterServer } from "./step-adapter-server.ts";
export type { StepAdapterServerOptions } from "./step-adapter-server.ts";
