import { applyMergePatch } from "@levelset/core/apply";
import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { metadataOf } from "../../json-parts.ts";
import { MaestroError } from "./maestro-client.ts";
import type { MaestroClient, WorkPreconditions } from "./maestro-client.ts";

/** In-memory Maestro with the works of registered consumers. A deleted work stays until `finish` is called. */
export class FakeMaestro implements MaestroClient {
  readonly works = new Map<string, JsonObject>();
  readonly consumers = new Set(["east"]);
  /** Number of requested deletions. */
  deletions = 0;
  isDown = false;
  #created = 0;

  async get(consumer: string, name: string): Promise<JsonObject> {
    return this.#known(consumer, name);
  }

  async list(consumer: string, labels: Readonly<Record<string, string>>): Promise<readonly JsonObject[]> {
    this.#reach(consumer);
    return [...this.works].flatMap(([key, work]) => {
      const metadata = isJsonObject(work["metadata"]) ? work["metadata"] : {};
      const has = isJsonObject(metadata["labels"]) ? metadata["labels"] : {};
      const isOne =
        key.startsWith(`${consumer}/`) && Object.entries(labels).every(([name, value]) => has[name] === value);
      return isOne ? [work] : [];
    });
  }

  async create(consumer: string, work: JsonObject): Promise<JsonObject> {
    this.#reach(consumer);
    const { name } = work["metadata"] as { readonly name: string };
    if (this.works.has(`${consumer}/${name}`)) throw new MaestroError("Conflict", "the work already exists");
    this.#created += 1;
    const metadata = { uid: `work-${this.#created}`, resourceVersion: "1" };
    const created = applyMergePatch(work, { metadata }) as JsonObject;
    this.works.set(`${consumer}/${name}`, created);
    return created;
  }

  async patch(consumer: string, name: string, patch: JsonObject): Promise<JsonObject> {
    const known = this.#known(consumer, name);
    const version = metadataOf(patch);
    check(known, version);
    const { resourceVersion } = metadataOf(known);
    const next = { metadata: { resourceVersion: String(Number(resourceVersion ?? 0) + 1) } };
    const work = applyMergePatch(applyMergePatch(known, patch), next) as JsonObject;
    this.works.set(`${consumer}/${name}`, work);
    return work;
  }

  async delete(consumer: string, name: string, _signal: AbortSignal, version: WorkPreconditions = {}): Promise<void> {
    check(this.#known(consumer, name), version);
    this.deletions += 1;
    const patch = { metadata: { deletionTimestamp: "2027-01-15T08:00:00Z" } };
    this.works.set(`${consumer}/${name}`, applyMergePatch(this.#known(consumer, name), patch) as JsonObject);
  }

  /** Simulates the agent: it has removed everything. */
  finish(consumer: string, name: string): void {
    this.works.delete(`${consumer}/${name}`);
  }

  #known(consumer: string, name: string): JsonObject {
    this.#reach(consumer);
    const work = this.works.get(`${consumer}/${name}`);
    if (work === undefined) throw new MaestroError("NotFound", "no such work");
    return work;
  }

  #reach(consumer: string): void {
    if (this.isDown) throw new MaestroError("Unavailable", "Maestro is unreachable");
    if (!this.consumers.has(consumer)) throw new MaestroError("NotFound", `the consumer ${consumer} is not registered`);
  }
}

/** Throws a Conflict for another uid or resourceVersion than the stored one. */
function check(work: JsonObject, version: JsonObject | WorkPreconditions): void {
  const there = metadataOf(work);
  const isSame = (["uid", "resourceVersion"] as const).every(
    (key) => version[key] === undefined || there[key] === undefined || version[key] === there[key],
  );
  if (!isSame) throw new MaestroError("Conflict", "the work was changed");
}
