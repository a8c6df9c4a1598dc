/**
 * Keeps ManifestWorks in Maestro, which carries them to clusters far away. A work is changed only for another generation: the annotation
 * `hyperfleet.io/generation` must be on the work and on every manifest in it, for the other side tells by it what it has seen.
 */
import type { JsonObject } from "@levelset/core";
import { GENERATION_ANNOTATION, generationNumber, newest } from "../generation.ts";
import { TransportFailure } from "../transport.ts";
import type { AppliedAs, ApplyOptions, Target, Transport } from "../transport.ts";
import { MaestroError } from "./maestro-client.ts";
import type { MaestroClient } from "./maestro-client.ts";
import { metadataOf, nameOf, objectOf, objectsOf } from "../../json-parts.ts";

/** The transport. */
export class MaestroTransport implements Transport {
  readonly kind = "maestro";
  readonly #client: MaestroClient;

  constructor(client: MaestroClient) {
    this.#client = client;
  }

  async find(target: Target, signal: AbortSignal): Promise<JsonObject | undefined> {
    const consumer = consumerOf(target);
    const { by } = target;
    return guarded(target, async () => {
      try {
        if (by.kind === "name") return await this.#client.get(consumer, by.name, signal);
        return newest(await this.#client.list(consumer, by.labels, signal));
      } catch (error) {
        if (error instanceof MaestroError && error.reason === "NotFound") return undefined;
        throw error;
      }
    });
  }

  /** Always a change of the one that is there: deleting a work would delete what it made. */
  async apply(
    target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    { signal }: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    const consumer = consumerOf(target);
    checkGenerations(manifest);
    return guarded(target, async () => {
      if (live === undefined) return { as: "created", live: await this.#client.create(consumer, manifest, signal) };
      if (generationNumber(live) === generationNumber(manifest)) return { as: "unchanged", live };
      const { labels = {}, annotations = {} } = metadataOf(manifest);
      const patch = { metadata: { labels, annotations }, spec: manifest["spec"] ?? {} };
      return { as: "updated", live: await this.#client.patch(consumer, nameOf(live), patch, signal) };
    });
  }

  async remove(target: Target, live: JsonObject, _policy: string, signal: AbortSignal): Promise<void> {
    if (metadataOf(live)["deletionTimestamp"] !== undefined) return;
    await guarded(target, async () => {
      try {
        await this.#client.delete(consumerOf(target), nameOf(live), signal);
      } catch (error) {
        if (!(error instanceof MaestroError && error.reason === "NotFound")) throw error;
      }
    });
  }
}

function consumerOf({ targetCluster = "" }: Target): string {
  if (targetCluster === "") throw new TransportFailure("transport.maestro.target_cluster is empty", false);
  return targetCluster;
}

async function guarded<Out>({ targetCluster, by }: Target, work: () => Promise<Out>): Promise<Out> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MaestroError)) throw error;
    const what = by.kind === "name" ? `ManifestWork ${by.name}` : "ManifestWorks";
    const isTransient = error.reason === "Unavailable" || error.reason === "Conflict" || error.reason === "NotFound";
    throw new TransportFailure(`${what} for ${targetCluster ?? ""}: ${error.message}`, isTransient, { cause: error });
  }
}

/** A work, or a manifest in it, that does not say its generation would never be seen as changed. */
function checkGenerations(work: JsonObject): void {
  const workload = objectOf(objectOf(work["spec"])["workload"]);
  for (const [index, manifest] of [work, ...objectsOf(workload["manifests"])].entries()) {
    if (generationNumber(manifest) > 0) continue;
    const where = index === 0 ? "the ManifestWork" : `spec.workload.manifests[${index - 1}]`;
    throw new TransportFailure(`${where} needs the annotation ${GENERATION_ANNOTATION} with a number above 0`, false);
  }
}
