import type { Clock, Logger, Random } from "@levelset/core";
import type { Actor } from "../actor.ts";
import type { OwnerIndex } from "../owner-index.ts";
import type { Recorder } from "../recorder.ts";

/** The world of simulated workloads. */
export interface WorkloadWorld {
  readonly actor: Actor;
  readonly index: OwnerIndex;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}
