import type { WireResource } from "@levelset/fleet/client";
import { findKind } from "./resource-arg.ts";
import type { FleetSession } from "./fleet-session.ts";

/** Maximum number of ids in one search expression. */
const IDS_MAX = 50;

/** Caches the names of parents. */
export class ParentNames {
  readonly #session: FleetSession;
  readonly #names = new Map<string, string>();

  constructor(session: FleetSession) {
    this.#session = session;
  }

  /** Fetches the names of parents that are not cached yet. */
  async load(resources: readonly WireResource[]): Promise<void> {
    const owners = resources.flatMap(({ owner_references: owner }) => (owner === undefined ? [] : [owner]));
    const [first] = owners;
    if (first === undefined) return;
    const collection = this.#session.client.collection(findKind(this.#session.kinds, first.kind));
    const unknown = [...new Set(owners.map(({ id }) => id))].filter((id) => !this.#names.has(id));
    for (let at = 0; at < unknown.length; at += IDS_MAX) {
      const ids = unknown.slice(at, at + IDS_MAX);
      const search = `id in [${ids.map((id) => `'${id}'`).join(", ")}]`;
      for await (const { id, name } of collection.list({ search, fields: ["name"], signal: this.#session.signal })) {
        this.#names.set(id, name);
      }
    }
  }

  /** Returns the name of the parent, or its id if the name is unknown. */
  of({ owner_references: owner }: WireResource): string {
    return owner === undefined ? "-" : (this.#names.get(owner.id) ?? owner.id);
  }
}
