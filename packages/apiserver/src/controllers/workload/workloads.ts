import { ReplicaSet, ReplicationController } from "@levelset/core";
import type { Controller } from "../controller.ts";
import { CronJobController } from "./cron-job-controller.ts";
import { DaemonSetController } from "./daemon-set-controller.ts";
import { DeploymentController } from "./deployment-controller.ts";
import { DisruptionController } from "./disruption-controller.ts";
import { EndpointController } from "./endpoint-controller.ts";
import { JobController } from "./job-controller.ts";
import { NodeController } from "./node-controller.ts";
import { POD_STAGES } from "./pod-stages.ts";
import { ReplicaSetController } from "./replica-set-controller.ts";
import { Scheduler } from "./scheduler.ts";
import { StageController } from "./stage-controller.ts";
import type { Stage } from "./stage.ts";
import { StatefulSetController } from "./stateful-set-controller.ts";
import { VolumeController } from "./volume-controller.ts";
import type { WorkloadWorld } from "./world.ts";

/** How workloads are simulated. */
export interface WorkloadOptions {
  /** How many nodes there are at the start. Default 1. */
  readonly nodes?: number;
  /** Stages of objects besides those of pods, and before them where they concern pods too. */
  readonly stages?: readonly Stage[];
}

/** The controllers that make workloads come true without running anything. */
export function workloadControllers(world: WorkloadWorld, options: WorkloadOptions = {}): readonly Controller[] {
  const { nodes = 1, stages = [] } = options;
  const { clock, random, actor } = world;
  return [
    new NodeController(world, nodes),
    new Scheduler(world),
    new StageController({ registry: actor.registry, clock, random, stages: [...stages, ...POD_STAGES] }),
    new DeploymentController(world),
    new ReplicaSetController(world, ReplicaSet),
    new ReplicaSetController(world, ReplicationController),
    new StatefulSetController(world),
    new DaemonSetController(world),
    new JobController(world),
    new CronJobController(world),
    new EndpointController(world),
    new VolumeController(world),
    new DisruptionController(world),
  ];
}
