import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FleetRow, ObjectRow } from "../api/index.ts";
import { addSnapshot, metricId, counterRates } from "./metric-history.ts";
import { fleetMatcher, isExpression, objectMatcher } from "./filter.ts";
import { mergeProblems } from "./merge-problems.ts";
import { applyToRows } from "./live-rows.ts";
import { rowRef } from "./row-ref.ts";
import { formatRoute, parseRoute, topicOf } from "./route.ts";
import type { Route } from "./route.ts";
import { scrollWindow } from "./component/scroll-window.ts";
import { compareSeverity, stateLabel, STATES, toneOf } from "./tone.ts";
import { formatAge, formatBytes, formatCount, formatDuration, escapeInvisible } from "./format.ts";

const text = fc.string({ unit: "grapheme", minLength: 1 });
const route = fc.oneof<fc.Arbitrary<Route>[]>(
  fc.constant({ view: "overview" }),
  fc.record({ view: fc.constant("objects"), query: fc.string({ unit: "grapheme" }) }),
  fc.record({
    view: fc.constant("object"),
    ref: fc.record({ apiVersion: text, kind: text, namespace: text.filter((name) => name !== "-"), name: text }),
  }),
  fc.record({ view: fc.constant("set"), name: text }),
  fc.record({ view: fc.constant("fleet"), query: fc.string({ unit: "grapheme" }), plural: fc.string() }),
  fc.record({ view: fc.constant("cluster"), plural: text, id: text }),
  fc.constant({ view: "runtime" }),
  fc.constant({ view: "simulations" }),
  fc.record({ view: fc.constant("simulation"), name: fc.stringMatching(/^[\w-][\w.-]{0,99}$/u) }),
);

test("the URL of a route parses to the same route", () => {
  fc.assert(
    fc.property(route.filter(isAddressable), (shown) => {
      expect(parseRoute(formatRoute(shown))).toEqual(shown);
    }),
  );
});

/** `.` and `..` are path segments with a meaning, even if escaped. They are not valid Kubernetes names. */
function isAddressable(shown: Route): boolean {
  const parts = [shown, "ref" in shown ? shown.ref : {}].flatMap((part): readonly unknown[] => Object.values(part));
  return parts.every((part) => part !== "." && part !== "..");
}

const NO_STORIES = ["/simulations/a/b", "/simulations/.a", "/simulations/a%2Fb", "/simulations/a%00", "/simulations/%"];

test("an unknown URL is the unknown route, which has no topic", () => {
  for (const path of ["/nowhere", "/objects/a/b", "/sets", "/sets/a/b", "/fleet/a", "/fleet/a/b/c", ...NO_STORIES]) {
    expect(parseRoute(path)).toEqual({ view: "unknown" });
  }
  expect(topicOf({ view: "unknown" })).toBeUndefined();
  expect(topicOf({ view: "set", name: "a:b" })).toBe("set:a%3Ab");
});

test("the scroll window contains the visible rows and few others at any scroll position", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100, max: 400_000 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.nat(10_000),
      (top, height, rows) => {
        const { first, end, offset } = scrollWindow({ top, height, rowHeight: 30, rows });
        expect(offset).toBe(first * 30);
        expect(end).toBeLessThanOrEqual(rows);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(height / 30) + 18);
        const start = Math.min(Math.max(0, top), Math.max(0, rows * 30 - height));
        expect(first * 30).toBeLessThanOrEqual(start);
        expect(end * 30).toBeGreaterThanOrEqual(Math.min(rows * 30, start + height));
      },
    ),
  );
});

const row = (fields: Partial<ObjectRow>): ObjectRow => ({
  id: "i",
  apiVersion: "v1",
  kind: "Simple",
  namespace: "shop",
  name: "web",
  type: "object",
  state: "failed",
  reason: "Error",
  message: "division by zero",
  ...fields,
});

describe("a search", () => {
  test("matches rows that contain every word in any column, ignoring case", () => {
    expect(objectMatcher("SHOP/web zero")(row({}))).toBe(true);
    expect(objectMatcher("shop ready")(row({}))).toBe(false);
    expect(objectMatcher("  ")(row({}))).toBe(true);
  });

  test("matches fleet resources by their labels", () => {
    const resource: FleetRow = {
      id: "1",
      kind: "Cluster",
      plural: "clusters",
      name: "eu-1",
      generation: 1,
      state: "ready",
      message: "",
      since: "",
      labels: ["shard=7"],
      cells: [],
    };
    expect(fleetMatcher("shard=7")(resource)).toBe(true);
    expect(fleetMatcher("shard=8")(resource)).toBe(false);
  });

  test.for([
    ["eu-1", false],
    ["failed dns", false],
    ["name = 'eu-1'", true],
    ["labels.shard in ('1')", true],
    ["deleted_time is null", true],
    ["generation between 2 and 3", true],
  ] as const)("for %s is a fleet search expression: %s", ([query, expected]) => {
    expect(isExpression(query)).toBe(expected);
  });
});

test("rows are sorted by severity, then by age", () => {
  const rows = [
    row({ name: "ok", state: "ready", since: "2026-01-01T00:00:00Z" }),
    row({ name: "new", state: "failed", since: "2026-01-02T00:00:00Z" }),
    row({ name: "busy", state: "progressing", since: "2025-01-01T00:00:00Z" }),
    row({ name: "worse", state: "degraded", since: "2025-01-01T00:00:00Z" }),
    row({ name: "old", state: "failed", since: "2026-01-01T00:00:00Z" }),
  ];
  expect(rows.toSorted(compareSeverity).map(({ name }) => name)).toEqual(["old", "new", "worse", "busy", "ok"]);
  expect(toneOf("constructor")).toBe("faint");
});

test("every state has one of seven names", () => {
  expect(STATES.map(stateLabel)).toEqual([
    "Failed",
    "Degraded",
    "Unknown",
    "Progressing",
    "Deleting",
    "Paused",
    "Ready",
  ]);
  const internal = ["missing", "unreadable", "skipped", "done", "waiting", "failing", "pending", "differs", "applied"];
  const names = new Set(STATES.map(stateLabel));
  expect(internal.map(stateLabel).filter((name) => !names.has(name))).toEqual([]);
});

test("stream messages produce the rows of the server", () => {
  const rows = new Map<string, ObjectRow>();
  applyToRows(rows, { kind: "reset", rows: [row({ id: "a" }), row({ id: "b" })] });
  applyToRows(rows, { kind: "change", put: [row({ id: "a", state: "ready" })], removed: ["b"] });
  expect([...rows.values()]).toEqual([row({ id: "a", state: "ready" })]);
  expect(rowRef(row({}))).toEqual({ apiVersion: "v1", kind: "Simple", namespace: "shop", name: "web" });
});

test("invisible and bidirectional control characters are escaped", () => {
  expect(escapeInvisible("a\u202Eb\u0000c\nd")).toBe("a⟨U+202E⟩b⟨U+0000⟩c d");
  expect(escapeInvisible("<b>שלום</b>")).toBe("<b>שלום</b>");
});

test("durations, ages, counts and sizes are formatted", () => {
  expect([0, 41_000, 200_000, 8_000_000, 400_000_000].map(formatDuration)).toEqual([
    "0 s",
    "41 s",
    "3 min",
    "2 h",
    "5 d",
  ]);
  expect(formatAge("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:00:09Z"))).toBe("9 s");
  expect(formatAge(undefined, 0)).toBe("");
  expect([formatCount(1, "object"), formatCount(2_000, "object"), formatBytes(91_500_000)]).toEqual([
    "1 object",
    "2,000 objects",
    "92 MB",
  ]);
});

test("rates are computed between snapshots, also across a restart of the process", () => {
  const sample = { name: "levelset_run_seconds_count", labels: { controller: "a" }, value: 0 };
  const at = (second: number, value: number): Parameters<typeof addSnapshot>[1] => ({
    at: `2026-01-01T00:00:0${second}Z`,
    processes: [{ title: "", url: "u", controllers: [], unreachable: "", samples: [{ ...sample, value }] }],
    caches: [],
  });
  const snapshots = [at(0, 4), at(2, 10), at(2, 10), at(4, 2)].reduce(addSnapshot, []);
  expect(counterRates(snapshots, metricId("u", sample))).toEqual([3, 1]);
});

test("problems with the same message are merged", () => {
  const problem = { source: "cluster", reason: "unreachable", message: "no route", hint: "" } as const;
  const other = { ...problem, about: "Pod", reason: "forbidden" } as const;
  expect(mergeProblems([{ ...problem, about: "Simple" }, other, { ...problem, about: "Operand" }])).toEqual([
    { ...problem, about: "Simple, Operand" },
    other,
  ]);
});
