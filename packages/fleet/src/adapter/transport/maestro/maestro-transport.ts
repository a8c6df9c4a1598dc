/**
 * Keeps ManifestWorks in Maestro, which carries them to clusters far away. A work is changed only for another generation: the annotation
 * `hyperfleet.io/generation` must be on the work and on every manifest in it, for the other side tells by it what it has seen.
 */
import type { JsonObject } from "@levelset/core";
import { GENERATION_ANNOTATION, generationNumber, newestFirst } from "../generation.ts";
import { marked } from "../marks.ts";
import type { Mark } from "../marks.ts";
import { isClaimed, NotOurs, ownershipOf } from "../ownership.ts";
import type { Ownership } from "../ownership.ts";
import type { AppliedAs, ApplyOptions, RemoveOptions, Target, Transport } from "../transport.ts";
import { TransportFailure } from "../transport-failure.ts";
import { MaestroError } from "./maestro-client.ts";
import type { MaestroClient, WorkPreconditions } from "./maestro-client.ts";
import { metadataOf, nameOf, objectOf, objectsOf } from "../../json-parts.ts";

/** How often a write is tried that was refused because the work changed since it was read. */
const ATTEMPTS_MAX = 5;

/** The transport. */
export class MaestroTransport implements Transport {
  readonly kind = "maestro";
  readonly #client: MaestroClient;

  constructor(client: MaestroClient) {
    this.#client = client;
  }

  /** Works made by version 0.1 have no marks: they say a generation, and the id of the fleet's resource in a label or an annotation. */
  ownership(work: JsonObject, mark: Mark): Ownership {
    const ownership = ownershipOf(work, mark);
    if (ownership.kind !== "unowned" || generationNumber(work) === 0) return ownership;
    const { labels, annotations } = metadataOf(work);
    const values = [objectOf(labels), objectOf(annotations)].flatMap((texts) => Object.values(texts));
    return mark.resourceId !== "" && values.includes(mark.resourceId) ? { kind: "ours" } : ownership;
  }

  async find(target: Target, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const { by } = target;
    return guarded(target, async () => {
      if (by.kind === "name") {
        const work = await this.#get(target, by.name, signal);
        return work === undefined ? [] : [work];
      }
      try {
        return newestFirst(await this.#client.list(consumerOf(target), by.labels, signal));
      } catch (error) {
        if (error instanceof MaestroError && error.reason === "NotFound") return [];
        throw error;
      }
    });
  }

  /** Always a change of the one that is there: deleting a work would delete what it made. */
  async apply(
    target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    checkGenerations(manifest);
    return guarded(target, async () => {
      const name = nameOf(manifest);
      let named = live !== undefined && nameOf(live) === name ? live : await this.#get(target, name, options.signal);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#applyTo(target, manifest, named, options);
        } catch (error) {
          if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error;
        }
        named = await this.#get(target, name, options.signal);
      }
    });
  }

  async #applyTo(
    target: Target,
    manifest: JsonObject,
    named: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    const { mark, signal } = options;
    const consumer = consumerOf(target);
    const desired = marked(manifest, mark, named);
    if (named === undefined) return { as: "created", live: await this.#client.create(consumer, desired, signal) };
    const ownership = this.ownership(named, mark);
    if (!isClaimed(ownership, options)) throw new NotOurs(named, ownership);
    const isMarked = ownershipOf(named, mark).kind === "ours";
    if (isMarked && generationNumber(named) === generationNumber(manifest)) return { as: "unchanged", live: named };
    const { labels = {}, annotations = {} } = metadataOf(desired);
    const patch = { metadata: { labels, annotations, ...versionOf(named) }, spec: manifest["spec"] ?? {} };
    return { as: "updated", live: await this.#client.patch(consumer, nameOf(named), patch, signal) };
  }

  async remove(target: Target, live: JsonObject, options: RemoveOptions): Promise<void> {
    const { signal, mark } = options;
    await guarded(target, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const work = await this.#get(target, nameOf(live), signal);
        if (work === undefined || metadataOf(work)["deletionTimestamp"] !== undefined) return;
        if (!isClaimed(this.ownership(work, mark), options)) return;
        try {
          await this.#client.delete(consumerOf(target), nameOf(work), signal, versionOf(work));
          return;
        } catch (error) {
          if (error instanceof MaestroError && error.reason === "NotFound") return;
          if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error;
        }
      }
    });
  }

  async #get(target: Target, name: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    try {
      return await this.#client.get(consumerOf(target), name, signal);
    } catch (error) {
      if (error instanceof MaestroError && error.reason === "NotFound") return undefined;
      throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof MaestroError && error.reason === "Conflict";
}

/** The incarnation and version of a work, as far as it says them. */
function versionOf(work: JsonObject): WorkPreconditions {
  const { uid, resourceVersion } = metadataOf(work);
  return {
    ...(typeof uid === "string" ? { uid } : {}),
    ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
  };
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
    const means = error.reason === "Invalid" ? "failed" : "unjudged";
    const message = `${what} for ${targetCluster ?? ""}: ${error.message}`;
    throw new TransportFailure(message, isTransient, { cause: error, means });
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
