import { describe, expect, test } from "vitest";
import { decideCreate, DEFAULT_TTL, readKinds } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { Decision } from "./decision.ts";
import { judge } from "./judgement.ts";
import { ruleWith } from "./pulsed-fleet.fixture.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const [KIND] = readKinds([{ kind: "Note", plural: "notes" }]).all;

function note(id: string): Resource {
  if (KIND === undefined) throw new TypeError("there is a kind");
  const blank = { name: "n", spec: {}, labels: {}, references: {}, tenancy: {}, parent: undefined, basePath: "" };
  const made = decideCreate({ ...blank, kind: KIND, id }, { by: "me", now: 0 });
  if (made.kind === "refused") throw new TypeError("refused");
  return made.resource;
}

/** When a note is looked at again whose decision is true once it is of an age. */
function lookTime(id: string, ageMs: number): number {
  if (KIND === undefined) throw new TypeError("there is a kind");
  const result = `now - timestamp(resource.created_time) > duration("${ageMs}ms")`;
  const rules = [ruleWith({ resourceType: "notes", decision: new Decision({ params: [], result }) })];
  const stored = { resource: note(id), revision: 1, statuses: [], children: 0 };
  const claim = { stored, cause: "refresh", pulsedTime: undefined } as const;
  const { pulses, lookTime: time } = judge({ claim, kind: KIND, rules, ttl: DEFAULT_TTL, now: 1 });
  expect(pulses).toEqual([]);
  return time;
}

const [FIRST, LAST] = ["00000000-0000-7000-8000-000000000000", "00000000-0000-7000-8000-ffffffffffff"];

describe("what is not pulsed is looked at again when its decision will be true:", () => {
  test("at the very moment if that is soon", () => {
    expect([FIRST, LAST].map((id) => lookTime(id, 50 * SECOND))).toEqual([50 * SECOND + 1, 50 * SECOND + 1]);
  });

  test("up to a tenth later if it is far, not all of a fleet at once", () => {
    expect([FIRST, LAST].map((id) => lookTime(id, 10 * MINUTE))).toEqual([10 * MINUTE + 1, 11 * MINUTE + 1]);
  });
});
