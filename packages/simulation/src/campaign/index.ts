/** Campaigns: many seeds, shrinking, coverage. Begin with `simulate.ts`. */

export { Campaign, runSeeds } from "./campaign.ts";
export type { CampaignOptions, Failure, SeedOptions, SeedResult } from "./campaign.ts";
export { CoverageCounter } from "./coverage.ts";
export type { Coverable, Coverage, CoverageJson, CoveredSet, CoveredShare } from "./coverage.ts";
export { replay } from "./replay.ts";
export { shrinkCase } from "./shrink.ts";
export { simulate, SimulationError } from "./simulate.ts";
export type { SimulateOptions, SimulationReport } from "./simulate.ts";
export { declared, isSimulation, simulation } from "./simulation.ts";
export type { Simulation } from "./simulation.ts";
