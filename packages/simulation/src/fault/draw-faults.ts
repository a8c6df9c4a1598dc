import type { Random } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";
import { chance, pick, pickWeighted, weightedIndex } from "../draw/index.ts";
import { faultName } from "./fault-name.ts";
import type { FaultEffect, PlannedFault, RequestFault, WatchFault } from "./planned-fault.ts";

/** Where faults can occur: what the run without faults did during each operation. */
export interface FaultSites {
  /** The number of write requests of the processes during each operation. */
  readonly writes: readonly number[];
  /** The number of their read requests during each operation. */
  readonly reads: readonly number[];
  /** Whether the program calls services outside of the cluster. */
  readonly hasExternal: boolean;
  /** The time that all operations take. */
  readonly totalMs: number;
}

const FAULTS_MAX = 3;
/** Longer than a candidate waits for the lease of a simulated leader. */
const STALL_MS = 700_000;
const LEASES_MAX_MS = 2 * 3_600_000;

/** Weights of the kinds. Crashes and lost answers find most bugs. */
const EFFECTS: readonly (readonly [weight: number, draw: (random: Random, site: Site) => FaultEffect])[] = [
  [
    6,
    (random, { writes }) => ({ kind: "crash", nth: nth(random, writes), downMs: pick(random, [0, 0, 1_000, 60_000]) }),
  ],
  [8, (random, { writes }) => ({ kind: "request", nth: nth(random, writes), fault: pick(random, REQUEST_FAULTS) })],
  [
    2,
    (random, { reads }) => ({ kind: "request", nth: nth(random, reads), on: "read", fault: pick(random, READ_FAULTS) }),
  ],
  [3, (random) => ({ kind: "watch", nth: randomInt(random, 1, 6), fault: pick(random, WATCH_FAULTS) })],
  [1, () => ({ kind: "cut-watches" })],
  [1, () => ({ kind: "freeze-watches" })],
  [2, (random) => ({ kind: "cache-lag", ms: pick(random, [200, 2_000, 20_000]) })],
  [2, (random, { at }) => ({ kind: "stale-restart", back: Math.max(0, at - randomInt(random, 0, 3)) })],
  [1, (random) => ({ kind: "leader-change", ...(chance(random, 0.3) ? { stallMs: STALL_MS } : {}) })],
  [1, (random) => ({ kind: "outage", ms: pick(random, [500, 10_000, 120_000]) })],
];

const REQUEST_FAULTS: readonly RequestFault[] = [
  { kind: "response-lost" },
  { kind: "response-lost" },
  { kind: "duplicate" },
  { kind: "duplicate" },
  { kind: "refused" },
  { kind: "hang" },
  { kind: "delay", ms: 5_000 },
  { kind: "status", reason: "Conflict" },
  { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "ServerTimeout" },
  { kind: "status", reason: "ServiceUnavailable" },
];

const READ_FAULTS: readonly RequestFault[] = [
  { kind: "response-lost" },
  { kind: "hang" },
  { kind: "delay", ms: 5_000 },
  { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "ServiceUnavailable" },
  { kind: "status", reason: "Timeout" },
  { kind: "status", reason: "Expired" },
  { kind: "status", reason: "Expired" },
];

const LEASE_FAULTS: readonly RequestFault[] = [
  { kind: "response-lost" },
  { kind: "hang" },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 },
];

const WATCH_FAULTS: readonly WatchFault[] = [
  { kind: "cut" },
  { kind: "duplicate" },
  { kind: "expired" },
  { kind: "delay", ms: 3_000 },
];

const EXTERNAL_FAULTS = ["refused", "response-lost"] as const;

/** One fault of each name that can be drawn, beside those of external calls. */
const EXAMPLES: readonly FaultEffect[] = [
  { kind: "crash", nth: 1, downMs: 0 },
  ...REQUEST_FAULTS.map((fault) => ({ kind: "request", nth: 1, fault }) as const),
  ...READ_FAULTS.map((fault) => ({ kind: "request", nth: 1, on: "read", fault }) as const),
  ...LEASE_FAULTS.map((fault) => ({ kind: "request", nth: 1, on: "lease", fault }) as const),
  ...WATCH_FAULTS.map((fault) => ({ kind: "watch", nth: 1, fault }) as const),
  { kind: "cut-watches" },
  { kind: "freeze-watches" },
  { kind: "cache-lag", ms: 0 },
  { kind: "stale-restart", back: 0 },
  { kind: "leader-change" },
  { kind: "leader-change", stallMs: STALL_MS },
  { kind: "outage", ms: 0 },
];

interface Site {
  readonly at: number;
  readonly writes: number;
  readonly reads: number;
}

/** Returns the names of the faults that can be drawn for a program. */
export function drawnFaultNames({ hasExternal }: Pick<FaultSites, "hasExternal">): readonly string[] {
  const external = EXTERNAL_FAULTS.map((fault) => ({ kind: "external", fault }) as const);
  return [...new Set([...EXAMPLES, ...(hasExternal ? external : [])].map(faultName))];
}

/**
 * Draws one to three faults, and perhaps one of the lease if its holder dies. Operations with more writes are more likely
 * to be hit.
 */
export function drawFaults(random: Random, sites: FaultSites): readonly PlannedFault[] {
  const count = randomInt(random, 1, FAULTS_MAX);
  const weights = sites.writes.map((writes) => 1 + 2 * Math.min(writes, 5));
  const faults = Array.from({ length: count }, (): PlannedFault => {
    const at = weightedIndex(random, weights);
    if (sites.hasExternal && chance(random, 0.25)) {
      return { at, kind: "external", fault: chance(random, 0.3) ? "refused" : "response-lost" };
    }
    const site = { at, writes: sites.writes[at] ?? 0, reads: sites.reads[at] ?? 0 };
    const effect = pickWeighted(random, EFFECTS)(random, site);
    // Every renewal of a lease costs work, and a day has thousands.
    const isTooLong = effect.kind === "leader-change" && sites.totalMs > LEASES_MAX_MS;
    return { at, ...(isTooLong ? { kind: "cut-watches" } : effect) };
  });
  const change = faults.find(({ kind }) => kind === "leader-change");
  return [...faults, ...(change === undefined ? [] : drawLeaseFault(random, change))].toSorted((a, b) => a.at - b.at);
}

/** A request for the lease fails around the time at which the leader dies. */
function drawLeaseFault(random: Random, { at }: PlannedFault): readonly PlannedFault[] {
  if (chance(random, 0.5)) return [];
  return [{ at, kind: "request", nth: randomInt(random, 1, 6), on: "lease", fault: pick(random, LEASE_FAULTS) }];
}

function nth(random: Random, requests: number): number {
  return randomInt(random, 1, Math.max(1, requests));
}
