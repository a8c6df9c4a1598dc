import { EVERY_TENANT } from "@levelset/fleet/server";
import type { FleetKinds, FleetStore } from "@levelset/fleet";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { FleetHttpClient } from "../../../support/fleet/http.ts";
import { allPlans } from "../consistency.ts";
import { freshName } from "../../../support/fleet/fleet-user.ts";

/** A cluster to be created once, by its key. */
export interface LoadCreate {
  readonly name: string;
  readonly key: string;
}

/** Returns clusters with different names and keys. */
export function newClusters(count: number): readonly LoadCreate[] {
  return Array.from({ length: count }, () => ({ name: freshName(), key: freshName() }));
}

/** Creates clusters concurrently and records the acknowledged ones with the returned ids. */
export class CreateLoad {
  readonly acknowledged = new Map<string, string>();
  readonly uncertain: LoadCreate[] = [];
  /** Responses other than 201 and 503. */
  readonly unexpected: string[] = [];
  readonly #http: FleetHttpClient;
  readonly #onAcknowledged: (count: number) => void;

  constructor(http: FleetHttpClient, onAcknowledged: (count: number) => void = () => {}) {
    this.#http = http;
    this.#onAcknowledged = onAcknowledged;
  }

  async send(creates: readonly LoadCreate[]): Promise<void> {
    await Promise.all(creates.map((create) => this.#one(create)));
  }

  async #one(create: LoadCreate): Promise<void> {
    const { name, key } = create;
    try {
      const body = { kind: "Cluster", name, spec: { key } };
      const response = await this.#http.post(`${API_BASE}/clusters`, body, { "idempotency-key": key });
      if (response.status === 201) {
        this.acknowledged.set(name, response.resource.id);
        this.#onAcknowledged(this.acknowledged.size);
        return;
      }
      if (response.status !== 503) this.unexpected.push(`${response.status} ${response.text}`);
    } catch {
      // The connection was cut: that is what the test is about.
    }
    this.uncertain.push(create);
  }
}

/** Returns the problems of creates: an acknowledged one is missing, has another id, or was done twice. */
export async function missingOrDuplicateCreates(
  store: FleetStore,
  kinds: FleetKinds,
  acknowledged: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const all = await allPlans(store, kinds);
  const ids = Map.groupBy(all, ({ stored }) => stored.resource.name);
  const journal = await store.journal({ scope: EVERY_TENANT, actions: ["create"], limit: 100_000 });
  const entries = Map.groupBy(journal, ({ name }) => name);
  return [...acknowledged].flatMap(([name, id]) => {
    const found = ids.get(name)?.map(({ stored }) => stored.resource.id) ?? [];
    const isOnce = found.length === 1 && found[0] === id && entries.get(name)?.length === 1;
    return isOnce ? [] : [`${name}: returned ${id}, found ${found.join()}, ${entries.get(name)?.length ?? 0} entries`];
  });
}
