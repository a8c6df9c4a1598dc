import type { SimulatedProgram } from "../subject/index.ts";
import { storyText } from "../story/index.ts";
import { Campaign, runSeeds } from "./campaign.ts";
import type { CampaignOptions, Failure, SeedOptions } from "./campaign.ts";
import type { Coverage } from "./coverage.ts";
import { declared } from "./simulation.ts";
import type { Simulation } from "./simulation.ts";

/** Options of {@link simulate}. */
export interface SimulateOptions extends CampaignOptions, SeedOptions {}

/** A simulation without a failure. */
export interface SimulationReport {
  /** The number of histories. */
  readonly histories: number;
  /** The number of simulated worlds. */
  readonly runs: number;
  readonly coverage: Coverage;
  /** Kinds none of whose samples became ready: pass `samples`. */
  readonly neverReady: readonly string[];
}

/** Rejects a simulation: the message is the story of the first failure. */
export class SimulationError extends Error {
  override readonly name: string = "SimulationError";
  readonly failures: readonly Failure[];

  constructor(failures: readonly [Failure, ...Failure[]]) {
    super(storyText(failures[0]));
    this.failures = failures;
  }
}

/**
 * Simulates a program under random histories and faults. Rejects with a {@link SimulationError} if a rule is violated:
 * its message is the shortest story that violates it. Equal seeds give equal histories on every machine.
 */
export async function simulate(
  program: SimulatedProgram | Simulation,
  options: SimulateOptions = {},
): Promise<SimulationReport> {
  const { program: simulated, options: all } = declared(program, options);
  const campaign = await Campaign.prepare(simulated, all);
  const results = await runSeeds(campaign, options);
  const failures = results.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const [first, ...more] = failures;
  if (first !== undefined) throw new SimulationError([first, ...more]);
  return {
    histories: results.length,
    runs: results.reduce((sum, { runs }) => sum + runs, 0),
    coverage: campaign.coverage.coverage(campaign.coverable),
    neverReady: campaign.neverReady,
  };
}
