import { applyMergePatch, isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { MaestroError } from "./maestro-client.ts";
import type { MaestroClient } from "./maestro-client.ts";

/** A Maestro in memory: works of the consumers that are registered. A deleted work stays until the other side has finished. */
export class FakeMaestro implements MaestroClient {
  readonly works = new Map<string, JsonObject>();
  readonly consumers = new Set(["east"]);
  /** How often a deletion was asked for. */
  deletions = 0;
  isDown = false;

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
    if (this.works.has(`${consumer}/${name}`)) throw new MaestroError("Conflict", "it is there already");
    this.works.set(`${consumer}/${name}`, work);
    return work;
  }

  async patch(consumer: string, name: string, patch: JsonObject): Promise<JsonObject> {
    const work = applyMergePatch(this.#known(consumer, name), patch) as JsonObject;
    this.works.set(`${consumer}/${name}`, work);
    return work;
  }

  async delete(consumer: string, name: string): Promise<void> {
    this.deletions += 1;
    const patch = { metadata: { deletionTimestamp: "2027-01-15T08:00:00Z" } };
    this.works.set(`${consumer}/${name}`, applyMergePatch(this.#known(consumer, name), patch) as JsonObject);
  }

  /** The other side has removed everything. */
  finish(consumer: string, name: string): void {
    this.works.delete(`${consumer}/${name}`);
  }

  #known(consumer: string, name: string): JsonObject {
    this.#reach(consumer);
    const work = this.works.get(`${consumer}/${name}`);
    if (work === undefined) throw new MaestroError("NotFound", "there is no such work");
    return work;
  }

  #reach(consumer: string): void {
    if (this.isDown) throw new MaestroError("Unavailable", "it cannot be reached");
    if (!this.consumers.has(consumer)) throw new MaestroError("NotFound", `the consumer ${consumer} is not registered`);
  }
}
