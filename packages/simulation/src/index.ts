/** Simulation of operators under random histories and faults. Begin with `simulate` and the guide. */

export { replay, simulate, simulation, SimulationError } from "./campaign/index.ts";
export type {
  CampaignOptions,
  Coverage,
  CoveredSet,
  CoveredShare,
  Failure,
  SimulateOptions,
  Simulation,
  SimulationReport,
} from "./campaign/index.ts";
export type { Difference, Violation, Oracle, SimulationRule } from "./violation/index.ts";
export type { Manifest } from "./history/index.ts";
export type { Case, Monitor, ObservedWrite, Property, PropertyWorld, WhyReport } from "./run/index.ts";
export type { ExternalWorld, Operators, Program, SimulatedProgram } from "./subject/index.ts";
