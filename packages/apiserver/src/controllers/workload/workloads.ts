import { ReplicaSet, ReplicationController } from "@levelset/core";
import type { BuiltinController } from "../controller.ts";
import { CronJobController } from "./batch/cron-job-controller.ts";
import { DaemonSetController } from "./apps/daemon-set-controller.ts";
import { DeploymentController } from "./apps/deployment-controller.ts";
import { DisruptionController } from "./disruption-controller.ts";
import { EndpointController } from "./service/endpoint-controller.ts";
import { JobController } from "./batch/job-controller.ts";
import { NodeController } from "./node-controller.ts";
import { POD_STAGES } from "./pod/pod-stages.ts";
import { ReplicaSetController } from "./apps/replica-set-controller.ts";
import { Scheduler } from "./pod/scheduler.ts";
import { StageController } from "./pod/stage-controller.ts";
import type { Stage } from "./pod/stage.ts";
import { StatefulSetController } from "./apps/stateful-set-controller.ts";
import { VolumeController } from "./volume-controller.ts";
import type { WorkloadContext } from "./workload-context.ts";

/** Options of the workload simulation. */
export interface WorkloadSimulationOptions {
  /** Number of nodes at startup. Default 1. */
  readonly nodes?: number;
  /** Additional stages. They precede the built-in stages of pods. */
  readonly stages?: readonly Stage[];
}

/** Returns the controllers that simulate workloads without running containers. */
export function workloadControllers(
  context: WorkloadContext,
  options: WorkloadSimulationOptions = {},
): readonly BuiltinController[] {
  const { nodes = 1, stages = [] } = options;
  const { clock, random, client } = context;
  return [
    new NodeController(context, nodes),
    new Scheduler(context),
    new StageController({ registry: client.registry, clock, random, stages: [...stages, ...POD_STAGES] }),
    new DeploymentController(context),
    new ReplicaSetController(context, ReplicaSet),
    new ReplicaSetController(context, ReplicationController),
    new StatefulSetController(context),
    new DaemonSetController(context),
    new JobController(context),
    new CronJobController(context),
    new EndpointController(context),
    new VolumeController(context),
    new DisruptionController(context),
  ];
}
