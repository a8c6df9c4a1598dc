import { EVERY_TENANT } from "@levelset/fleet";
import type { FleetKinds, FleetStore } from "@levelset/fleet";
import { B } from "../http.ts";
import type { HttpCaller } from "../http.ts";
import { everything } from "../consistency.ts";
import { freshName } from "../user.ts";

/** A cluster to be created once, by its key. */
export interface LoadCreate {
  readonly name: string;
  readonly key: string;
}

/** Clusters with different names and keys. */
export function newClusters(count: number): readonly LoadCreate[] {
  return Array.from({ length: count }, () => ({ name: freshName(), key: freshName() }));
}

/** Creates clusters, all at the same time, and notes which of them were acknowledged, with the id that was told. */
export class CreateLoad {
  readonly acknowledged = new Map<string, string>();
  readonly uncertain: LoadCreate[] = [];
  /** Answers other than 201 and 503. */
  readonly strange: string[] = [];
  readonly #http: HttpCaller;
  readonly #onAcknowledged: (count: number) => void;

  constructor(http: HttpCaller, onAcknowledged: (count: number) => void = () => {}) {
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
      const answer = await this.#http.post(`${B}/clusters`, body, { "idempotency-key": key });
      if (answer.status === 201) {
        this.acknowledged.set(name, answer.resource.id);
        this.#onAcknowledged(this.acknowledged.size);
        return;
      }
      if (answer.status !== 503) this.strange.push(`${answer.status} ${answer.text}`);
    } catch {
      // The connection was cut: that is what the test is about.
    }
    this.uncertain.push(create);
  }
}

/** What is wrong with what became of creations: an acknowledged one is missing or has another id, or was done twice. */
export async function missingOrDoubled(
  store: FleetStore,
  kinds: FleetKinds,
  acknowledged: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const all = await everything(store, kinds);
  const ids = Map.groupBy(all, ({ stored }) => stored.resource.name);
  const journal = await store.journal({ scope: EVERY_TENANT, actions: ["create"], limit: 100_000 });
  const entries = Map.groupBy(journal, ({ name }) => name);
  return [...acknowledged].flatMap(([name, id]) => {
    const found = ids.get(name)?.map(({ stored }) => stored.resource.id) ?? [];
    const isOnce = found.length === 1 && found[0] === id && entries.get(name)?.length === 1;
    return isOnce ? [] : [`${name}: told ${id}, found ${found.join()}, ${entries.get(name)?.length ?? 0} entries`];
  });
}
