import type { JsonObject } from "@levelset/core";
import { expect, test } from "vitest";
import type { SentRequest, Snapshot } from "../world/index.ts";
import { findUnrest } from "./quiet.ts";
import type { RestWindow } from "./quiet.ts";

const THING = "Thing default/a";
const STATUS_PATH = "/apis/example.com/v1/namespaces/default/things/a/status";

function stateOf(status: JsonObject, isReady: boolean = true): Snapshot {
  const roots = new Map([[THING, isReady]]);
  return {
    objects: new Map([[THING, { status }]]),
    roots,
    generated: [],
    incomparable: new Set(),
    completed: new Map(),
  };
}

function writes(count: number): readonly SentRequest[] {
  return Array.from({ length: count }, () => ({ method: "PATCH", path: STATUS_PATH, query: "", code: 200 }));
}

const REST: RestWindow = {
  ms: 1_200_000,
  requests: [],
  runs: [],
  isAtWork: false,
  noise: new Set(),
  before: stateOf({ checks: 1 }),
  after: stateOf({ checks: 1 }),
  hotLoop: undefined,
};
const BEATING: RestWindow = { ...REST, requests: writes(20), after: stateOf({ checks: 21 }) };

const rulesOf = (window: RestWindow): readonly string[] => findUnrest(window).map(({ rule }) => rule);
const runs = (everyMs: number): readonly string[] => Array.from({ length: Math.floor(REST.ms / everyMs) }, () => THING);

test("an object at rest that is reconciled every 500 ms is in a loop, and one that is polled every second is not", () => {
  expect(rulesOf({ ...REST, runs: runs(500) })).toEqual(["hot-loop"]);
  expect(rulesOf({ ...REST, runs: runs(1_000) })).toEqual([]);
});

test("many objects that are reconciled rarely are no loop", () => {
  expect(rulesOf({ ...REST, runs: Array.from({ length: 5_000 }, (_, at) => `Thing default/${at % 100}`) })).toEqual([]);
});

test("writes of an unchanged object are found", () => {
  expect(rulesOf({ ...REST, requests: writes(3) })).toEqual(["writes-at-rest"]);
  expect(rulesOf({ ...REST, requests: writes(2) })).toEqual([]);
});

test("writes of a counter, and of a path that is noise, are found", () => {
  expect(rulesOf(BEATING)).toEqual(["writes-at-rest"]);
  const [before, after] = [stateOf({ checked: "a" }), stateOf({ checked: "b" })];
  expect(rulesOf({ ...BEATING, before, after, noise: new Set(["Thing status.checked"]) })).toEqual(["writes-at-rest"]);
});

test("a change of the status that is no noise is an effect", () => {
  const [before, after] = [stateOf({ phase: "day" }), stateOf({ phase: "night" })];
  expect(rulesOf({ ...BEATING, before, after })).toEqual([]);
});

test("rare writes, periodic work and progress of an object that is not Ready are legitimate", () => {
  expect(rulesOf({ ...BEATING, requests: writes(3) })).toEqual([]);
  expect(rulesOf({ ...BEATING, isAtWork: true })).toEqual([]);
  expect(rulesOf({ ...BEATING, after: stateOf({ checks: 21 }, false) })).toEqual([]);
});
