import type { Clock, Logger, Random } from "@levelset/core";
import type { ControllerClient } from "../controller-client.ts";
import type { OwnerIndex } from "../owner-index.ts";
import type { ControllerEventRecorder } from "../event-recorder.ts";

/** Dependencies of the simulated workloads. */
export interface WorkloadContext {
  readonly client: ControllerClient;
  readonly index: OwnerIndex;
  readonly recorder: ControllerEventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}
