import type { Case } from "../run/index.ts";
import type { SimulatedProgram } from "../subject/index.ts";
import { Campaign } from "./campaign.ts";
import type { CampaignOptions } from "./campaign.ts";
import { SimulationError } from "./simulate.ts";
import { declared } from "./simulation.ts";
import type { Simulation } from "./simulation.ts";

/**
 * Performs a recorded case. Rejects with a {@link SimulationError} if it violates a rule. `levelset simulate
 * --write-test` writes a test that calls it.
 */
export async function replay(
  program: SimulatedProgram | Simulation,
  recorded: Case,
  options: CampaignOptions = {},
): Promise<void> {
  const { program: simulated, options: all } = declared(program, options);
  const campaign = await Campaign.prepare(simulated, all);
  const examination = await campaign.replay(recorded);
  const { violation, run, why } = examination;
  if (violation === undefined) return;
  const drawn = { operations: recorded.history.operations.length, faults: recorded.faults.length };
  throw new SimulationError([
    { seed: recorded.seed, violation, run, ...(why === undefined ? {} : { why }), case: recorded, drawn },
  ]);
}
