import { realClock, realRandom } from "@levelset/core";
import { DEFAULT_ORDER, parseOrder, parseSearch } from "@levelset/fleet/model";
import { EVERY_TENANT, Fleet, localCaller } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import type { PageRequest } from "@levelset/fleet/internal";
import type { ListQuery } from "@levelset/fleet/server";
import type { SearchNode } from "@levelset/fleet/model";
import { timesOf } from "./rate.ts";
import { CLUSTER, KINDS, reportBody } from "./seed-store.ts";

/**
 * Searches with two predicates. Each matches at most 100 of 100,000 clusters, even if a single predicate matches more.
 */
export const SEARCHES: Readonly<Record<string, string>> = {
  "a label of few and a condition of all": "labels.team = 'team-17' and status.conditions.Ready = 'True'",
  "a label of 5 % and one of 1 %": "labels.region = 'region-3' and labels.zone = 'zone-41'",
  "a label of 5 % and a field of the spec of 1 %": "labels.region = 'region-3' and spec.version = '4.41.1'",
  "the beginning of a name and a label of 25 %": "name like 'cluster-0001%' and labels.tier = 'gold'",
  "a label of few and the time of a condition":
    "labels.team = 'team-17' and status.conditions.Ready.last_updated_time > '2020-01-01T00:00:00Z'",
  "a condition of none and a label of 75 %": "status.conditions.Ready = 'False' and labels.tier = 'silver'",
};

const CLAIMED = 100;
/** Offset after which every resource is due. */
const FAR_MS = 86_400_000;
const MATCHES_MAX = 100;

/** Runs each query several times. Returns query → durations. */
export async function measureQueries(
  store: FleetStore,
  ids: readonly string[],
  calls: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, readonly number[]>();
  const ask = async (what: string, work: (number: number) => Promise<unknown>): Promise<void> => {
    times.set(what, await timesOf(calls, work));
  };
  const idOf = (number: number): string => ids[(number * 7919) % ids.length] ?? "";
  const listed = (part: PageRequest, more: Partial<ListQuery> = {}): ReturnType<FleetStore["list"]> =>
    store.list({ scope: EVERY_TENANT, kind: CLUSTER.kind, order: DEFAULT_ORDER, page: part, ...more });

  await ask("load one", (number) => store.load({ id: idOf(number), scope: EVERY_TENANT }));
  const fleet = new Fleet({ store, kinds: KINDS, clock: realClock, random: realRandom });
  await ask("a report", (number) =>
    fleet.report(localCaller("bench"), { id: idOf(number) }, reportBody("dns", 1, { number })),
  );
  await ask("first page of 100, with its total", () => listed({ kind: "page", page: 1, size: 100 }));
  const middle = await positionIn(listed, ids.length);
  await ask("100 after a position in the middle", () => listed({ kind: "after", position: middle, size: 100 }));
  await ask("100 by name after a position", () => {
    const position = { values: ["cluster-005000"], id: "" };
    return listed({ kind: "after", position, size: 100 }, { order: byName() });
  });
  for (const [what, text] of Object.entries(SEARCHES)) {
    const search = searchOf(text);
    await ask(`search: ${what}`, async () => {
      const { total = 0 } = await listed({ kind: "page", page: 1, size: MATCHES_MAX }, { search });
      if (total > MATCHES_MAX) throw new Error(`${text} has ${total} matches, which is more than 100`);
    });
  }
  await askForWork(store, ask);
  return times;
}

/** Measures claims with no work due, then with all work due; claimed work is completed unchanged. */
async function askForWork(
  store: FleetStore,
  ask: (what: string, work: (number: number) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const kinds = [CLUSTER.kind];
  const request = { holder: "bench", leaseMs: 1, limit: CLAIMED, kinds };
  await ask("claim, nothing due", () => store.claim({ ...request, now: realClock.now() }));
  await ask("when is the next due", () => store.nextDueTime(kinds));
  await ask(`claim ${CLAIMED} and complete them, everything due`, async () => {
    const now = realClock.now() + FAR_MS;
    const claims = await store.claim({ ...request, now });
    if (claims.length < CLAIMED) throw new Error(`${claims.length} were claimed instead of ${CLAIMED}`);
    await store.complete(
      claims.map(({ resource, holder, counters, dueTime }) => {
        return { resourceId: resource.resource.id, holder, counters, pulsedTime: undefined, refreshTime: dueTime };
      }),
    );
  });
}

async function positionIn(
  listed: (part: PageRequest) => ReturnType<FleetStore["list"]>,
  count: number,
): Promise<Awaited<ReturnType<FleetStore["list"]>>["next"]> {
  const size = 100;
  return (await listed({ kind: "page", page: Math.floor(count / 2 / size), size })).next;
}

function byName(): ListQuery["order"] {
  const parsed = parseOrder("name");
  if (parsed.kind !== "order") throw new TypeError("name is a column");
  return parsed.order;
}

function searchOf(text: string): SearchNode {
  const parsed = parseSearch(text);
  if (parsed.kind !== "search" || parsed.node === undefined) throw new TypeError(`${text} is not a valid search`);
  return parsed.node;
}
