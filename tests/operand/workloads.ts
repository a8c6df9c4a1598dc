import { Deployment, isNotFound, realClock } from "@levelset/core";
import type { JsonObject, ObjectOf } from "@levelset/core";
import { Client } from "@levelset/operator";
import type { Place } from "../engine/stage.ts";

/** An image that nobody can pull. */
export const NO_IMAGE = "does-not-exist";

const LOOK_MS = 100;

/**
 * Plays the controller of Deployments where no pods run: a Deployment becomes available, unless its image cannot be pulled. Then it
 * keeps what it has and, at once, is beyond its deadline.
 */
export class Workloads implements AsyncDisposable {
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor({ fetch }: Place) {
    this.#client = new Client({ fetch, fieldManager: "workloads" });
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      for (const one of (await this.#client.list(Deployment)).items) await this.#look(one);
      await realClock.sleep(LOOK_MS);
    }
  }

  async #look(deployment: ObjectOf<typeof Deployment>): Promise<void> {
    const { namespace = "", name, generation = 0 } = deployment.metadata;
    if (deployment.status?.observedGeneration === generation) return;
    const status = { observedGeneration: generation, ...told(deployment) };
    try {
      await this.#client.mergePatch(Deployment, { namespace, name }, { status }, { subresource: "status" });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }
}

function told({ spec, status }: ObjectOf<typeof Deployment>): JsonObject {
  const replicas = spec?.replicas ?? 1;
  const images = spec?.template.spec?.containers.map(({ image = "" }) => image) ?? [];
  if (images.some((image) => image.includes(NO_IMAGE))) {
    const before = status?.availableReplicas ?? 0;
    return {
      replicas: before + 1,
      updatedReplicas: 1,
      availableReplicas: before,
      conditions: [condition("Progressing", "False", "ProgressDeadlineExceeded")],
    };
  }
  return {
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    conditions: [
      condition("Available", "True", "MinimumReplicasAvailable"),
      condition("Progressing", "True", "NewReplicaSetAvailable"),
    ],
  };
}

function condition(type: string, status: string, reason: string): JsonObject {
  const time = "2026-01-01T00:00:00Z";
  return { type, status, reason, message: "", lastTransitionTime: time, lastUpdateTime: time };
}
