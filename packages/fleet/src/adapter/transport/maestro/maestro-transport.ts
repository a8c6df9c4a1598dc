/**
 * Manages ManifestWorks in Maestro, which delivers them to remote clusters. A work is updated only for another
 * generation: the annotation `hyperfleet.io/generation` must be on the work and on every manifest in it, since the
 * agent uses it to detect changes.
 */
import type { JsonObject } from "@levelset/core";
import { GENERATION_ANNOTATION, generationNumber, newestFirst } from "../generation.ts";
import { withOwnerLabels } from "../owner-labels.ts";
import type { OwnerInfo } from "../owner-labels.ts";
import { isClaimed, NotOwnedError, ownershipOf } from "../ownership.ts";
import type { Ownership } from "../ownership.ts";
import type {
  TransportApplyResult,
  TransportApplyOptions,
  RemoveOptions,
  ObjectLocator,
  Transport,
} from "../transport.ts";
import { AdapterTransportError } from "../adapter-transport-error.ts";
import { MaestroError } from "./maestro-client.ts";
import type { MaestroClient, WorkPreconditions } from "./maestro-client.ts";
import { metadataOf, nameOf, objectOrEmpty, objectsOf } from "../../json-parts.ts";

/** Attempts of a write that fails with a conflict because the work changed after it was read. */
const ATTEMPTS_MAX = 5;

/** Transport for Maestro. Methods reject with an AdapterTransportError. */
export class MaestroTransport implements Transport {
  readonly kind = "maestro";
  readonly #client: MaestroClient;

  constructor(client: MaestroClient) {
    this.#client = client;
  }

  /**
   * Works created by version 0.1 have no owner labels: they carry a generation, and the ID of the fleet resource in a
   * label or an annotation.
   */
  ownership(work: JsonObject, mark: OwnerInfo): Ownership {
    const ownership = ownershipOf(work, mark);
    if (ownership.kind !== "unowned" || generationNumber(work) === 0) return ownership;
    const { labels, annotations } = metadataOf(work);
    const values = [objectOrEmpty(labels), objectOrEmpty(annotations)].flatMap((texts) => Object.values(texts));
    return mark.resourceId !== "" && values.includes(mark.resourceId) ? { kind: "ours" } : ownership;
  }

  async find(target: ObjectLocator, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const { by } = target;
    return convertErrors(target, async () => {
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

  /** Always updates an existing work: deleting it would delete its objects. */
  async apply(
    target: ObjectLocator,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }> {
    checkGenerations(manifest);
    return convertErrors(target, async () => {
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
    target: ObjectLocator,
    manifest: JsonObject,
    named: JsonObject | undefined,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }> {
    const { owner, signal } = options;
    const consumer = consumerOf(target);
    const desired = withOwnerLabels(manifest, owner, named);
    if (named === undefined) return { as: "created", live: await this.#client.create(consumer, desired, signal) };
    const ownership = this.ownership(named, owner);
    if (!isClaimed(ownership, options)) throw new NotOwnedError(named, ownership);
    const isMarked = ownershipOf(named, owner).kind === "ours";
    if (isMarked && generationNumber(named) === generationNumber(manifest)) return { as: "unchanged", live: named };
    const { labels = {}, annotations = {} } = metadataOf(desired);
    const patch = { metadata: { labels, annotations, ...versionOf(named) }, spec: manifest["spec"] ?? {} };
    return { as: "updated", live: await this.#client.patch(consumer, nameOf(named), patch, signal) };
  }

  async delete(target: ObjectLocator, live: JsonObject, options: RemoveOptions): Promise<void> {
    const { signal, owner } = options;
    await convertErrors(target, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const work = await this.#get(target, nameOf(live), signal);
        if (work === undefined || metadataOf(work)["deletionTimestamp"] !== undefined) return;
        if (!isClaimed(this.ownership(work, owner), options)) return;
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

  async #get(target: ObjectLocator, name: string, signal: AbortSignal): Promise<JsonObject | undefined> {
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

/** Returns uid and resourceVersion of a work, as far as present. */
function versionOf(work: JsonObject): WorkPreconditions {
  const { uid, resourceVersion } = metadataOf(work);
  return {
    ...(typeof uid === "string" ? { uid } : {}),
    ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
  };
}

function consumerOf({ targetCluster = "" }: ObjectLocator): string {
  if (targetCluster === "") throw new AdapterTransportError("transport.maestro.target_cluster is empty", false);
  return targetCluster;
}

async function convertErrors<Out>({ targetCluster, by }: ObjectLocator, work: () => Promise<Out>): Promise<Out> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MaestroError)) throw error;
    const what = by.kind === "name" ? `ManifestWork ${by.name}` : "ManifestWorks";
    const isTransient = error.reason === "Unavailable" || error.reason === "Conflict" || error.reason === "NotFound";
    const means = error.reason === "Invalid" ? "failed" : "undetermined";
    const message = `${what} for ${targetCluster ?? ""}: ${error.message}`;
    throw new AdapterTransportError(message, isTransient, { cause: error, means });
  }
}

/** Throws if the work or a manifest in it has no generation, because its changes would not be detected. */
function checkGenerations(work: JsonObject): void {
  const workload = objectOrEmpty(objectOrEmpty(work["spec"])["workload"]);
  for (const [index, manifest] of [work, ...objectsOf(workload["manifests"])].entries()) {
    if (generationNumber(manifest) > 0) continue;
    const where = index === 0 ? "the ManifestWork" : `spec.workload.manifests[${index - 1}]`;
    throw new AdapterTransportError(
      `${where} needs the annotation ${GENERATION_ANNOTATION} with a number above 0`,
      false,
    );
  }
}
