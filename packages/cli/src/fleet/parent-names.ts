import type { WireResource } from "@levelset/fleet/client";
import { findKind } from "./resource-word.ts";
import type { FleetSession } from "./fleet-session.ts";

/** How many parents are asked for at once: a search must stay short. */
const AT_ONCE = 50;

/** The names of parents, each looked up once. */
export class ParentNames {
  readonly #session: FleetSession;
  readonly #names = new Map<string, string>();

  constructor(session: FleetSession) {
    this.#session = session;
  }

  /** Looks up the parents of these resources that are not known yet. */
  async learn(resources: readonly WireResource[]): Promise<void> {
    const owners = resources.flatMap(({ owner_references: owner }) => (owner === undefined ? [] : [owner]));
    const [first] = owners;
    if (first === undefined) return;
    const collection = this.#session.client.collection(findKind(this.#session.kinds, first.kind));
    const unknown = [...new Set(owners.map(({ id }) => id))].filter((id) => !this.#names.has(id));
    for (let at = 0; at < unknown.length; at += AT_ONCE) {
      const ids = unknown.slice(at, at + AT_ONCE);
      const search = `id in [${ids.map((id) => `'${id}'`).join(", ")}]`;
      for await (const { id, name } of collection.list({ search, fields: ["name"], signal: this.#session.signal })) {
        this.#names.set(id, name);
      }
    }
  }

  /** The name of a resource's parent, or its id where the name is not known. */
  of({ owner_references: owner }: WireResource): string {
    return owner === undefined ? "-" : (this.#names.get(owner.id) ?? owner.id);
  }
}
