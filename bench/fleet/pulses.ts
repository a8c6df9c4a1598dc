import { DEFAULT_TTL, SENTINEL_LIMITS } from "@levelset/fleet/server";
import { sleep } from "../runtime/with-timeout.ts";
import type { Results } from "../runtime/results.ts";
import { ApiClient } from "./api-client.ts";
import { PulseDeliveries } from "./pulse-deliveries.ts";
import type { ExpectedPulse } from "./pulse-deliveries.ts";
import { FleetProcess } from "./fleet-process.ts";
import type { StoreEnvironment } from "./store-environment.ts";
import { percentile } from "./rate.ts";
import { OURS } from "./reports.ts";
import type { BenchScale } from "./bench-scale.ts";
import { specOf } from "./seed-store.ts";

const ASKED = "target: at most";
const PER_SECOND = 50;
/** The first changes are not counted, because new processes are slow. */
const WARM_CHANGES = 2 * PER_SECOND;
const AT_ONCE = 64;
const REPLICAS = 3;
/** Duration of the refresh measurement: each resource that is not ready is due once in this time. */
const REFRESH_MS = DEFAULT_TTL.notReadyMs;
/** Two messages within this time are duplicates, not a change and its first refresh. */
const TWICE_MS = 0.8 * DEFAULT_TTL.notReadyMs;

/** A killed Sentinel may not have recorded messages that it sent within this time. */
const UNRECORDED_MS = 1;

/** A fleet with its processes and measurements. */
interface Stage {
  readonly place: StoreEnvironment;
  readonly results: Results;
  readonly ids: readonly string[];
  readonly scale: BenchScale;
  readonly api: FleetProcess;
  /** The same process as the API if only one process can open the store. */
  readonly sentinel: FleetProcess;
  readonly arrivals: PulseDeliveries;
  readonly client: ApiClient;
}

/** Measures one Sentinel, then several. */
export async function pulses(given: Pick<Stage, "place" | "results" | "ids" | "scale">): Promise<void> {
  const { place: environment } = given;
  const arrivals = new PulseDeliveries();
  const { config, isShared } = environment;
  await using api = await FleetProcess.start({ config, roles: isShared ? ["api"] : ["api", "sentinel"] }, arrivals.add);
  await using client = new ApiClient(api.url, AT_ONCE);
  {
    await using other = isShared ? await FleetProcess.start({ config, roles: ["sentinel"] }, arrivals.add) : undefined;
    const harness = { ...given, api, sentinel: other ?? api, arrivals, client };
    await idle(harness);
    await steady(harness);
    await burst(harness);
    await refreshes(harness);
  }
  if (isShared) await replicas({ ...given, api, arrivals, client });
}

/** Measures an idle Sentinel. */
async function idle({ place: environment, results, scale, sentinel }: Stage): Promise<void> {
  const cost = await costOf(environment, sentinel, () => sleep(scale.idleMs));
  const what = `${environment.name}: a core with ${scale.sizes.at(-1)?.toLocaleString("en")} resources and nothing due`;
  results.add(`${what}, Sentinel`, "%", OURS, (cost.ownMs / scale.idleMs) * 100);
  results.add(`${what}, with the database`, "%", OURS, ((cost.ownMs + cost.databaseMs) / scale.idleMs) * 100);
  results.add(`${what}, with the database`, "%", ASKED, 2);
  results.add(
    `${environment.name}: statements a minute with nothing due`,
    "statements",
    OURS,
    (cost.statements / scale.idleMs) * 60_000,
  );
}

/** Measures changes at a steady rate: from the request until a subscriber receives the message. */
async function steady({ place: environment, results, ids, scale, arrivals, client }: Stage): Promise<void> {
  const count = WARM_CHANGES + Math.floor((scale.steadyMs / 1000) * PER_SECOND);
  const start = performance.now();
  const sent = await Promise.all(
    ids.slice(0, count).map(async (id, number) => {
      await sleep(Math.max(1, start + (number * 1000) / PER_SECOND - performance.now()));
      const time = now();
      return { id, generation: await client.patch(id, specOf(number, 4)), time };
    }),
  );
  const times = await arrivals.untilAll(sent);
  const latencies = times.map((time, index) => time - (sent[index]?.time ?? 0)).slice(WARM_CHANGES);
  const what = `${environment.name}: from a change to its message, ${PER_SECOND} a second`;
  results.add(`${what}, median`, "ms", OURS, percentile(latencies, 50));
  results.add(`${what}, p99`, "ms", OURS, percentile(latencies, 99));
  results.add(`${what}, p99`, "ms", ASKED, 100);
}

/** Measures many changes at once: from the last response to the last message. */
async function burst(harness: Stage): Promise<void> {
  const { place: environment, results, scale, arrivals } = harness;
  const start = performance.now();
  const changes = await changeMany(harness, 5);
  const changedMs = performance.now() - start;
  const last = Math.max(...(await arrivals.untilAll(changes)));
  const what = `${environment.name}: ${scale.burst.toLocaleString("en")} changes at once`;
  results.add(`${what}, to commit them`, "ms", OURS, changedMs);
  results.add(
    `${what}, from the last commit to the last message`,
    "ms",
    OURS,
    last - Math.max(...changes.map(({ time }) => time)),
  );
  results.add(`${what}, from the last commit to the last message`, "ms", ASKED, 5_000);
}

/** Measures refreshes: changed clusters without reports are due repeatedly. */
async function refreshes({ place: environment, results, scale, sentinel, arrivals }: Stage): Promise<void> {
  // The first round of refreshes is a burst, as the changes were.
  await sleep(scale.idleMs < REFRESH_MS ? 0 : REFRESH_MS / 2);
  const before = arrivals.count;
  const cost = await costOf(environment, sentinel, () => sleep(REFRESH_MS));
  const count = arrivals.count - before;
  if (count === 0) throw new Error("nothing was refreshed");
  results.add(`${environment.name}: CPU time for a refresh, Sentinel`, "µs", OURS, (cost.ownMs * 1000) / count);
  const all = cost.ownMs + cost.databaseMs;
  results.add(`${environment.name}: CPU time for a refresh, with the database`, "µs", OURS, (all * 1000) / count);
  results.add(`${environment.name}: statements for a refresh`, "statements", OURS, cost.statements / count);
}

/** Measures several Sentinels, then kills one of them during its work. */
async function replicas(harness: Omit<Stage, "sentinel">): Promise<void> {
  const { place: environment, results, scale, arrivals } = harness;
  const own = Array.from({ length: REPLICAS }, () => new PulseDeliveries());
  const members = await Promise.all(
    own.map((its) =>
      FleetProcess.start({ config: environment.config, roles: ["sentinel"] }, (arrival) => {
        arrivals.add(arrival);
        its.add(arrival);
      }),
    ),
  );
  try {
    const changes = await changeMany(harness, 6);
    const last = Math.max(...(await arrivals.untilAll(changes)));
    const what = `${environment.name}: ${REPLICAS} Sentinels, ${scale.burst.toLocaleString("en")} changes at once`;
    results.add(`${what}, to the last message`, "ms", OURS, last - Math.max(...changes.map(({ time }) => time)));
    results.add(`${what}, messages twice`, "messages", OURS, arrivals.repeated(changes, TWICE_MS));
    results.add(`${what}, fewest of one`, "messages", OURS, Math.min(...own.map((its) => its.arrived(changes))));
    const [victim] = members;
    const [its] = own;
    if (victim !== undefined && its !== undefined) await takeover(harness, victim, its);
  } finally {
    for (const member of members) await member[Symbol.asyncDispose]();
  }
}

/**
 * Messages that it sent right before it was killed are not recorded and are sent again; the rest of its claims is sent
 * for the first time.
 */
async function takeover(harness: Omit<Stage, "sentinel">, victim: FleetProcess, its: PulseDeliveries): Promise<void> {
  const { place: environment, results, scale, arrivals } = harness;
  const killing = its.untilMore(Math.floor(scale.burst / REPLICAS / 2)).then(async () => {
    await victim.kill();
    return now();
  });
  const changes = await changeMany(harness, 7);
  const killed = await killing;
  const first = await arrivals.untilAll(changes);
  const held = changes.filter((change) => its.isAfter(change, its.latest - UNRECORDED_MS));
  const again = await arrivals.allAfter(held, killed);
  const what = `${environment.name}: one of ${REPLICAS} Sentinels killed at work, until all it held was sent`;
  results.add(what, "ms", OURS, Math.max(...first, ...again) - killed);
  results.add(what, "ms", "the lease", SENTINEL_LIMITS.leaseMs);
}

/** Changes the last clusters of the fleet concurrently. The time of each change is that of its response. */
async function changeMany(
  { ids, scale, client }: Pick<Stage, "ids" | "scale" | "client">,
  nodes: number,
): Promise<readonly ExpectedPulse[]> {
  const rest = ids.slice(-scale.burst).entries();
  const changes: ExpectedPulse[] = [];
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

/** Returns the CPU time of a process and its database during work. */
async function costOf(environment: StoreEnvironment, member: FleetProcess, work: () => Promise<void>): Promise<Cost> {
  const [ownMs, databaseMs, statements] = [await member.cpuMs(), await environment.cpuMs(), await member.statements()];
  await work();
  return {
    ownMs: (await member.cpuMs()) - ownMs,
    databaseMs: (await environment.cpuMs()) - databaseMs,
    statements: (await member.statements()) - statements,
  };
}

/** Returns milliseconds since 1970, with fractions; comparable between processes of this machine. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
