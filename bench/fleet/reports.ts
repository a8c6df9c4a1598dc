import { realClock, realRandom } from "@levelset/core";
import { Fleet, localCaller } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import type { Results } from "../runtime/results.ts";
import { ApiClient } from "./api-client.ts";
import type { FleetProcess } from "./fleet-process.ts";
import type { StoreEnvironment } from "./store-environment.ts";
import { rateOf } from "./rate.ts";
import type { RawRows } from "./raw-rows.ts";
import type { BenchScale } from "./bench-scale.ts";
import { CLUSTER, KINDS, reportBody } from "./seed-store.ts";

/** Name of this project in tables. */
export const OURS = "ours";

const AT_ONCE = 32;
const RAW = "raw upserts";
const TOGETHER = `raw upserts, ${AT_ONCE} in a transaction`;
/** Number of reports between two reports on the same cluster. */
const APART = 64;
/** Coprime to the size of the fleet, so that consecutive reports are spread over it. */
const STRIDE = 7919;

/** Returns the n-th report. */
type Sequence = (ids: readonly string[], number: number) => readonly [id: string, body: object];

/** Target of reports and its peer. */
interface Contest {
  readonly place: StoreEnvironment;
  readonly results: Results;
  readonly raw: RawRows;
  readonly ids: readonly string[];
  readonly scale: BenchScale;
}

/** Measures reports to the service in this process alternately with raw upserts. */
export async function serviceReports(contest: Contest, store: FleetStore): Promise<void> {
  const { place: environment, results } = contest;
  const fleet = new Fleet({ store, kinds: KINDS, clock: realClock, random: realRandom });
  const caller = localCaller("bench");
  let [count, statements] = [0, -store.statements];
  const report = (id: string, body: object): Promise<unknown> => {
    count += 1;
    return fleet.report(caller, { id }, body);
  };
  await beside(contest, `${environment.name}: reports a second, service alone`, answers, report);
  await beside(contest, `${environment.name}: reports a second, each on another cluster`, strangers, report);
  statements += store.statements;
  results.add(`${environment.name}: statements for a report`, "statements", OURS, statements / count);
  results.add(`${environment.name}: statements for a report`, "statements", "target: at most", 4);
}

/** Measures reports over HTTP to another process. */
export async function httpReports(contest: Contest, member: FleetProcess): Promise<void> {
  await using client = new ApiClient(member.url, AT_ONCE);
  const what = `${contest.place.name}: reports a second over HTTP`;
  await beside(contest, what, answers, (id, body) => client.report(id, body));
}

async function beside(
  { raw, results, ids, scale }: Contest,
  what: string,
  sequence: Sequence,
  report: (id: string, body: object) => Promise<unknown>,
): Promise<void> {
  const limits = { atOnce: AT_ONCE, ms: scale.roundMs };
  const send = numbered((number) => report(...sequence(ids, number)));
  const upsert = numbered((number) => {
    const [id, body] = sequence(ids, number);
    return raw.upsert(id, JSON.stringify(body));
  });
  await rateOf(send, limits);
  for (let round = 0; round < scale.rounds; round += 1) {
    results.add(what, "ops/s", RAW, await rateOf(upsert, limits));
    if (raw.upsertBatch !== undefined) {
      const several = numbered((number) => {
        const rows = Array.from({ length: AT_ONCE }, (_, index) => sequence(ids, number * AT_ONCE + index));
        return raw.upsertBatch?.(rows.map(([id, body]) => [id, JSON.stringify(body)])) ?? Promise.resolve();
      });
      results.add(what, "ops/s", TOGETHER, (await rateOf(several, { ...limits, atOnce: 1 })) * AT_ONCE);
    }
    results.add(what, "ops/s", OURS, await rateOf(send, limits));
  }
}

/** Numbers the calls across rounds. */
function numbered(work: (number: number) => Promise<unknown>): () => Promise<unknown> {
  let number = 0;
  return () => work(number++);
}

/** Reports in the order of responses to pulses: the adapters of a cluster report shortly after each other. */
function answers(ids: readonly string[], number: number): ReturnType<Sequence> {
  const adapters = CLUSTER.requiredAdapters;
  const group = Math.floor(number / (APART * adapters.length));
  const adapter = adapters[Math.floor(number / APART) % adapters.length] ?? "";
  return [idAt(ids, group * APART + (number % APART)), reportBody(adapter, 1, { number })];
}

/** Reports in the order of independent adapters that iterate over the whole fleet. */
function strangers(ids: readonly string[], number: number): ReturnType<Sequence> {
  const adapters = CLUSTER.requiredAdapters;
  const adapter = adapters[Math.floor(number / ids.length) % adapters.length] ?? "";
  return [idAt(ids, number), reportBody(adapter, 1, { number })];
}

function idAt(ids: readonly string[], number: number): string {
  return ids[(number * STRIDE) % ids.length] ?? "";
}
