import { Deployment, isNotFound, realClock } from "@levelset/core";
import type { JsonObject, ObjectOf } from "@levelset/core";
import { Client } from "@levelset/operator";
import type { Cluster } from "../../support/cluster/cluster.ts";

/** An image that cannot be pulled. */
export const MISSING_IMAGE = "does-not-exist";

const LOOK_MS = 100;

/**
 * Simulates the Deployment controller without pods: a Deployment becomes available, unless its image cannot be pulled.
 * In that case it keeps its replicas and exceeds its progress deadline at once.
 */
export class FakeDeploymentController implements AsyncDisposable {
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor({ fetch }: Cluster) {
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
    const status = { observedGeneration: generation, ...reported(deployment) };
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

function reported({ spec, status }: ObjectOf<typeof Deployment>): JsonObject {
  const replicas = spec?.replicas ?? 1;
  const images = spec?.template.spec?.containers.map(({ image = "" }) => image) ?? [];
  if (images.some((image) => image.includes(MISSING_IMAGE))) {
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
