import type { SimulatedProgram } from "../subject/index.ts";
import type { CampaignOptions } from "./campaign.ts";

/** A program with the options of its simulation: the default export of a file for `levelset simulate`. */
export interface Simulation {
  /** Identifies the declaration, also if another copy of this package made it. */
  readonly kind: "Simulation";
  readonly program: SimulatedProgram;
  readonly options: CampaignOptions;
}

/** Declares how a program is simulated: its samples, properties and ignored rules. */
export function simulation(program: SimulatedProgram, options: CampaignOptions = {}): Simulation {
  return { kind: "Simulation", program, options };
}

/** Reports whether a value is the result of {@link simulation}. */
export function isSimulation(value: unknown): value is Simulation {
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind === "Simulation" && "program" in value
  );
}

/** Returns a program as a declaration. Options that are given in addition replace those of the declaration. */
export function declared(program: SimulatedProgram | Simulation, options: CampaignOptions = {}): Simulation {
  if (!isSimulation(program)) return simulation(program, options);
  return simulation(program.program, { ...program.options, ...options });
}
