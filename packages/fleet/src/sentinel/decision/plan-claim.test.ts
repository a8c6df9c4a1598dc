import { describe, expect, test } from "vitest";
import { decideCreate, DEFAULT_TTL, readKinds } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";
import { PulseDecision } from "./pulse-decision.ts";
import { planClaim } from "./plan-claim.ts";
import { ruleWith } from "../pulsed-fleet.fixture.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const [KIND] = readKinds([{ kind: "Note", plural: "notes" }]).all;

function note(id: string): Resource {
  if (KIND === undefined) throw new TypeError("there is a kind");
  const blank = { name: "n", spec: {}, labels: {}, references: {}, tenancy: {}, parent: undefined, basePath: "" };
  const decision = decideCreate({ ...blank, kind: KIND, id }, { by: "me", now: 0 });
  if (decision.kind === "refused") throw new TypeError("refused");
  return decision.resource;
}

/** Returns the next check time of a note whose decision becomes true at an age. */
function checkTime(id: string, ageMs: number): number {
  if (KIND === undefined) throw new TypeError("there is a kind");
  const result = `now - timestamp(resource.created_time) > duration("${ageMs}ms")`;
  const rules = [ruleWith({ resourceType: "notes", decision: new PulseDecision({ params: [], result }) })];
  const stored = { resource: note(id), revision: 1, statuses: [], children: 0 };
  const claim = { resource: stored, cause: "refresh", pulsedTime: undefined } as const;
  const { pulses, nextCheckTime: time } = planClaim({ claim, kind: KIND, rules, ttl: DEFAULT_TTL, now: 1 });
  expect(pulses).toEqual([]);
  return time;
}

const [FIRST, LAST] = ["00000000-0000-7000-8000-000000000000", "00000000-0000-7000-8000-ffffffffffff"];

describe("a resource that is not pulsed is checked again when its decision becomes true:", () => {
  test("exactly then if that is soon", () => {
    expect([FIRST, LAST].map((id) => checkTime(id, 50 * SECOND))).toEqual([50 * SECOND + 1, 50 * SECOND + 1]);
  });

  test("up to a tenth later if it is far ahead, to spread the load", () => {
    expect([FIRST, LAST].map((id) => checkTime(id, 10 * MINUTE))).toEqual([10 * MINUTE + 1, 11 * MINUTE + 1]);
  });
});
