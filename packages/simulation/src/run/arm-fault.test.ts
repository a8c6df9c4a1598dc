import { describe, expect, test } from "vitest";
import type { PlannedFault, RequestFault, RequestTarget, WatchFault } from "../fault/index.ts";
import { FaultWorld } from "./fault-world.fixture.ts";
import type { FaultEffects } from "./fault-world.fixture.ts";

/** Longer than the lease of a leader and the renewal of a watch. */
const OBSERVED_MS = 1_200_000;

/** A world without faults: the note is reconciled at once. */
const PLAIN: FaultEffects = {
  fired: [],
  isCrashed: false,
  writtenAfterS: 0,
  writes: 1,
  reads: 1,
  watches: 0,
  failures: [],
  warnings: [],
};

type Row = readonly [fault: PlannedFault, differences: Partial<FaultEffects>];

/** The first write adds a finalizer, the second one creates the ConfigMap. */
const write = (fault: RequestFault): PlannedFault => ({ at: 0, kind: "request", nth: 2, fault });
const on = (target: RequestTarget, fault: RequestFault): PlannedFault => ({ ...of(fault), on: target });
const of = (fault: RequestFault) => ({ at: 0, kind: "request", nth: 1, fault }) as const;
const event = (fault: WatchFault): PlannedFault => ({ at: 0, kind: "watch", nth: 1, fault });

/** A step fails and runs again, after a watch shows whether the write had an effect. */
const failed = (message: string): Partial<FaultEffects> => ({
  reads: 2,
  watches: 1,
  failures: [`${message} (injected)`],
});
const warned = (...messages: readonly string[]): Partial<FaultEffects> => ({
  warnings: messages.map((message) => `${message} (injected)`),
});
const CUT = "the watch was cut: connection reset";

const WRITES: readonly Row[] = [
  [write({ kind: "refused" }), failed("connection refused")],
  [write({ kind: "response-lost" }), failed("connection reset")],
  [write({ kind: "duplicate" }), { writes: 2, reads: 2 }],
  [write({ kind: "hang" }), { ...failed("no response within 60 s"), writtenAfterS: 60 }],
  [write({ kind: "delay", ms: 5_000 }), { writtenAfterS: 5 }],
  [write({ kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 }), { writtenAfterS: 1 }],
  [write({ kind: "status", reason: "InternalError" }), failed("InternalError")],
];

const READS: readonly Row[] = [
  [on("read", { kind: "refused" }), {}],
  [on("read", { kind: "response-lost" }), { reads: 2 }],
  [on("read", { kind: "duplicate" }), { reads: 2 }],
  [on("read", { kind: "hang" }), { writtenAfterS: 60 }],
  [on("read", { kind: "delay", ms: 5_000 }), { writtenAfterS: 5 }],
  [on("read", { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 }), { writtenAfterS: 1 }],
  [on("read", { kind: "status", reason: "InternalError" }), { failures: ["InternalError (injected)"] }],
];

const LEASES: readonly Row[] = [
  [on("lease", { kind: "refused" }), warned("connection refused")],
  [on("lease", { kind: "response-lost" }), warned("connection reset")],
  [on("lease", { kind: "hang" }), warned("no response within 60 s")],
  [on("lease", { kind: "status", reason: "InternalError" }), warned("InternalError")],
];

const EVENTS: readonly Row[] = [
  [event({ kind: "cut" }), { watches: 1, warnings: ["the watch was cut inside an event"] }],
  [event({ kind: "duplicate" }), {}],
  [event({ kind: "expired" }), { watches: 1 }],
  [event({ kind: "delay", ms: 3_000 }), { writtenAfterS: 3 }],
];

const OTHERS: readonly Row[] = [
  [
    { at: 0, kind: "crash", nth: 2, downMs: 0 },
    { isCrashed: true, ...warned(CUT) },
  ],
  [
    { at: 0, kind: "cut-watches" },
    { watches: 2, ...warned(CUT) },
  ],
  [
    { at: 0, kind: "freeze-watches" },
    { writtenAfterS: 371, watches: 5 },
  ],
  [{ at: 0, kind: "cache-lag", ms: 20_000 }, { writtenAfterS: 20 }],
  [
    { at: 0, kind: "stale-restart", back: 0 },
    { writtenAfterS: 5, watches: 2 },
  ],
  [
    { at: 0, kind: "leader-change" },
    { writtenAfterS: 316, watches: 2, warnings: ["This operation was aborted"] },
  ],
  // The former leader continues, starts no step, and ends.
  [
    { at: 0, kind: "leader-change", stallMs: 700_000 },
    { isCrashed: true, writtenAfterS: 404, watches: 2 },
  ],
  [
    { at: 0, kind: "outage", ms: 10_000 },
    { writtenAfterS: 12, watches: 2, ...warned(CUT, "connection refused") },
  ],
  [
    { at: 0, kind: "external", fault: "refused" },
    { reads: 2, failures: ["apply: the service refuses the connection (injected)"] },
  ],
  [
    { at: 0, kind: "external", fault: "response-lost" },
    { reads: 2, failures: ["apply: the service does not answer (injected)"] },
  ],
];

test("without faults, a note is reconciled at once", async () => {
  await using world = await FaultWorld.open([]);
  expect(await world.observe(OBSERVED_MS)).toEqual(PLAIN);
});

describe.each([
  ["a write", WRITES],
  ["a read", READS],
  ["the lease", LEASES],
  ["a watch event", EVENTS],
  ["the process, its watches, the server or a service", OTHERS],
])("a fault of %s", (_, rows) => {
  test.each(rows)("occurs and has its effect: %j", async (fault, differences) => {
    await using world = await FaultWorld.open([fault]);
    expect(await world.observe(OBSERVED_MS)).toEqual({ ...PLAIN, fired: [fault], ...differences });
  });
});

test("only a watch or a page from a revision expires", async () => {
  const expired = on("read", { kind: "status", reason: "Expired" });
  await using plain = await FaultWorld.open([expired]);
  expect(await plain.observe(OBSERVED_MS)).toEqual(PLAIN);
  const cut: PlannedFault = { at: 0, kind: "cut-watches" };
  await using world = await FaultWorld.open([expired, cut]);
  const seen = await world.observe(OBSERVED_MS);
  expect(seen).toEqual({ ...PLAIN, fired: [cut, expired], watches: 2, ...warned(CUT) });
});

describe("a fault outlives the process", () => {
  test.each<Row>([
    [{ at: 0, kind: "crash", nth: 2, downMs: 0 }, { isCrashed: true }],
    [write({ kind: "duplicate" }), { writes: 2 }],
    [event({ kind: "delay", ms: 3_000 }), { writtenAfterS: 3 }],
    [{ at: 0, kind: "cache-lag", ms: 20_000 }, { writtenAfterS: 10 }],
    [{ at: 0, kind: "outage", ms: 10_000 }, { writtenAfterS: 13 }],
  ])("%j", async (fault, differences) => {
    await using world = await FaultWorld.open([fault]);
    await world.restart();
    expect(await world.observe(OBSERVED_MS)).toMatchObject({ fired: [fault], ...differences });
  });

  test("and two crashes are those of two processes", async () => {
    const crash: PlannedFault = { at: 0, kind: "crash", nth: 1, downMs: 0 };
    const again: PlannedFault = { at: 0, kind: "crash", nth: 2, downMs: 0 };
    await using world = await FaultWorld.open([crash, again]);
    expect(await world.observe(1_000)).toMatchObject({ fired: [crash], isCrashed: true, writes: 0 });
    await world.restart();
    await world.cluster.advance(1_000);
    expect(world.cluster.faults.fired).toEqual([crash, again]);
    expect(world.cluster.processes.map(({ isCrashed }) => isCrashed)).toEqual([true]);
  });
});
