import { DEFAULT_TTL, SENTINEL_LIMITS } from "@levelset/fleet";
import { elapsed } from "../runtime/within.ts";
import type { Results } from "../runtime/results.ts";
import { ApiClient } from "./api-client.ts";
import { Arrivals } from "./arrivals.ts";
import type { Change } from "./arrivals.ts";
import { Member } from "./member.ts";
import type { Place } from "./place.ts";
import { percentile } from "./rate.ts";
import { OURS } from "./reports.ts";
import type { Scale } from "./scale.ts";
import { specOf } from "./stock.ts";

const ASKED = "asked: at most";
const PER_SECOND = 50;
/** The first ones do not count: processes that have just begun are slow. */
const WARM_CHANGES = 2 * PER_SECOND;
const AT_ONCE = 64;
const REPLICAS = 3;
/** How long the cost of refreshes is measured: each resource that is not ready is due once in this time. */
const REFRESH_MS = DEFAULT_TTL.notReadyMs;
/** Messages that are closer than this are not a change and its first refresh. */
const TWICE_MS = 0.8 * DEFAULT_TTL.notReadyMs;

/** A Sentinel that is killed cannot have told the store of what it sent this long before. */
const UNTOLD_MS = 1;

/** A fleet with its processes, and what is measured of it. */
interface Stage {
  readonly place: Place;
  readonly results: Results;
  readonly ids: readonly string[];
  readonly scale: Scale;
  readonly api: Member;
  /** The same process as the API where only one can have the store. */
  readonly sentinel: Member;
  readonly arrivals: Arrivals;
  readonly client: ApiClient;
}

/** All that is measured of a Sentinel, alone and with others. */
export async function pulses(given: Pick<Stage, "place" | "results" | "ids" | "scale">): Promise<void> {
  const { place } = given;
  const arrivals = new Arrivals();
  const { config, isShared } = place;
  await using api = await Member.start({ config, roles: isShared ? ["api"] : ["api", "sentinel"] }, arrivals.add);
  await using client = new ApiClient(api.url, AT_ONCE);
  {
    await using other = isShared ? await Member.start({ config, roles: ["sentinel"] }, arrivals.add) : undefined;
    const stage = { ...given, api, sentinel: other ?? api, arrivals, client };
    await idle(stage);
    await steady(stage);
    await burst(stage);
    await refreshes(stage);
  }
  if (isShared) await replicas({ ...given, api, arrivals, client });
}

/** The fleet is there, and nothing is due. */
async function idle({ place, results, scale, sentinel }: Stage): Promise<void> {
  const cost = await costOf(place, sentinel, () => elapsed(scale.idleMs));
  const what = `${place.name}: a core with ${scale.sizes.at(-1)?.toLocaleString("en")} resources and nothing due`;
  results.add(`${what}, Sentinel`, "%", OURS, (cost.ownMs / scale.idleMs) * 100);
  results.add(`${what}, with the database`, "%", OURS, ((cost.ownMs + cost.databaseMs) / scale.idleMs) * 100);
  results.add(`${what}, with the database`, "%", ASKED, 2);
  results.add(
    `${place.name}: statements a minute with nothing due`,
    "statements",
    OURS,
    (cost.statements / scale.idleMs) * 60_000,
  );
}

/** Changes at a steady pace: from the moment at which a change is sent until the message is with a subscriber. */
async function steady({ place, results, ids, scale, arrivals, client }: Stage): Promise<void> {
  const count = WARM_CHANGES + Math.floor((scale.steadyMs / 1000) * PER_SECOND);
  const start = performance.now();
  const sent = await Promise.all(
    ids.slice(0, count).map(async (id, number) => {
      await elapsed(Math.max(1, start + (number * 1000) / PER_SECOND - performance.now()));
      const time = now();
      return { id, generation: await client.patch(id, specOf(number, 4)), time };
    }),
  );
  const times = await arrivals.all(sent);
  const latencies = times.map((time, index) => time - (sent[index]?.time ?? 0)).slice(WARM_CHANGES);
  const what = `${place.name}: from a change to its message, ${PER_SECOND} a second`;
  results.add(`${what}, median`, "ms", OURS, percentile(latencies, 50));
  results.add(`${what}, p99`, "ms", OURS, percentile(latencies, 99));
  results.add(`${what}, p99`, "ms", ASKED, 100);
}

/** Many changes at once: from the last answer to a change until the last message. */
async function burst(stage: Stage): Promise<void> {
  const { place, results, scale, arrivals } = stage;
  const start = performance.now();
  const changes = await changeMany(stage, 5);
  const changedMs = performance.now() - start;
  const last = Math.max(...(await arrivals.all(changes)));
  const what = `${place.name}: ${scale.burst.toLocaleString("en")} changes at once`;
  results.add(`${what}, to commit them`, "ms", OURS, changedMs);
  results.add(
    `${what}, from the last commit to the last message`,
    "ms",
    OURS,
    last - Math.max(...changes.map(({ time }) => time)),
  );
  results.add(`${what}, from the last commit to the last message`, "ms", ASKED, 5_000);
}

/** What was changed has no reports yet, and so is due again and again. */
async function refreshes({ place, results, scale, sentinel, arrivals }: Stage): Promise<void> {
  // The first round of refreshes is as close together as the changes were.
  await elapsed(scale.idleMs < REFRESH_MS ? 0 : REFRESH_MS / 2);
  const before = arrivals.count;
  const cost = await costOf(place, sentinel, () => elapsed(REFRESH_MS));
  const count = arrivals.count - before;
  if (count === 0) throw new Error("nothing was refreshed");
  results.add(`${place.name}: CPU time for a refresh, Sentinel`, "µs", OURS, (cost.ownMs * 1000) / count);
  const all = cost.ownMs + cost.databaseMs;
  results.add(`${place.name}: CPU time for a refresh, with the database`, "µs", OURS, (all * 1000) / count);
  results.add(`${place.name}: statements for a refresh`, "statements", OURS, cost.statements / count);
}

/** Several Sentinels share the work; then one of them is killed in the middle of it. */
async function replicas(stage: Omit<Stage, "sentinel">): Promise<void> {
  const { place, results, scale, arrivals } = stage;
  const own = Array.from({ length: REPLICAS }, () => new Arrivals());
  const members = await Promise.all(
    own.map((its) =>
      Member.start({ config: place.config, roles: ["sentinel"] }, (arrival) => {
        arrivals.add(arrival);
        its.add(arrival);
      }),
    ),
  );
  try {
    const changes = await changeMany(stage, 6);
    const last = Math.max(...(await arrivals.all(changes)));
    const what = `${place.name}: ${REPLICAS} Sentinels, ${scale.burst.toLocaleString("en")} changes at once`;
    results.add(`${what}, to the last message`, "ms", OURS, last - Math.max(...changes.map(({ time }) => time)));
    results.add(`${what}, messages twice`, "messages", OURS, arrivals.repeated(changes, TWICE_MS));
    results.add(`${what}, fewest of one`, "messages", OURS, Math.min(...own.map((its) => its.arrived(changes))));
    const [victim] = members;
    const [its] = own;
    if (victim !== undefined && its !== undefined) await takeover(stage, victim, its);
  } finally {
    for (const member of members) await member[Symbol.asyncDispose]();
  }
}

/** What it had sent just before it was killed the store does not know of, so that it is sent again; what it had not sent is sent for the first time. */
async function takeover(stage: Omit<Stage, "sentinel">, victim: Member, its: Arrivals): Promise<void> {
  const { place, results, scale, arrivals } = stage;
  const killing = its.more(Math.floor(scale.burst / REPLICAS / 2)).then(async () => {
    await victim.kill();
    return now();
  });
  const changes = await changeMany(stage, 7);
  const killed = await killing;
  const first = await arrivals.all(changes);
  const held = changes.filter((change) => its.isAfter(change, its.latest - UNTOLD_MS));
  const again = await arrivals.allAfter(held, killed);
  const what = `${place.name}: one of ${REPLICAS} Sentinels killed at work, until all it held was sent`;
  results.add(what, "ms", OURS, Math.max(...first, ...again) - killed);
  results.add(what, "ms", "the lease", SENTINEL_LIMITS.leaseMs);
}

/** Changes the end of the fleet, so many at the same time. The time of each is that of its answer. */
async function changeMany(
  { ids, scale, client }: Pick<Stage, "ids" | "scale" | "client">,
  nodes: number,
): Promise<readonly Change[]> {
  const rest = ids.slice(-scale.burst).entries();
  const changes: Change[] = [];
  const worker = async (): Promise<void> => {
    for (const [number, id] of rest) {
      const generation = await client.patch(id, specOf(number, nodes));
      changes.push({ id, generation, time: now() });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return changes;
}

interface Cost {
  readonly ownMs: number;
  readonly databaseMs: number;
  readonly statements: number;
}

/** What something costs a process and its database. */
async function costOf(place: Place, member: Member, work: () => Promise<void>): Promise<Cost> {
  const [ownMs, databaseMs, statements] = [await member.cpuMs(), await place.cpuMs(), await member.statements()];
  await work();
  return {
    ownMs: (await member.cpuMs()) - ownMs,
    databaseMs: (await place.cpuMs()) - databaseMs,
    statements: (await member.statements()) - statements,
  };
}

/** Milliseconds since 1970, with fractions, as all processes of this machine have them. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
