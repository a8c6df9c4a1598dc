import { ConfigMap, isReady, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import { beforeAll, expect, test } from "vitest";
import type { PropertyWorld } from "../run/index.ts";
import { storyText } from "../story/index.ts";
import { Campaign } from "./campaign.ts";
import { simulate, SimulationError } from "./simulate.ts";

const Page = kind({
  group: "example.com",
  version: "v1",
  kind: "Page",
  spec: s.object({ text: s.string().pattern("^[a-z]*$").max(20) }),
  status: s.object({ initial: s.string().optional() }),
});

const samples = [{ apiVersion: "example.com/v1", kind: "Page", metadata: { name: "a" }, spec: { text: "hello" } }];

const content = child(Page, "Content", {
  kind: ConfigMap,
  desired: ({ name, spec }) => ({ metadata: { name }, data: { text: spec.text } }),
});

const title = (initialOf: (text: string) => string) =>
  step(Page, "Title", {
    do: (req) => {
      req.status.initial = initialOf(req.spec.text);
      return ok();
    },
  });

const pages = () => operator(Page, [content, title((text) => text.slice(0, 1))]);
const firstOf = (text: string): string => text[0] as string;
/** A text may be empty, and then has no first character. */
const pagesThatThrow = () => operator(Page, [content, title((text) => firstOf(text).toUpperCase())]);

test("samples may be in any namespace", async () => {
  const placed = samples.map((sample) => ({ ...sample, metadata: { name: "a", namespace: "shop" } }));
  expect((await Campaign.prepare(pages, { samples: placed })).neverReady).toEqual([]);
});

test.each([
  [{ text: 5 }, 'the server refuses the sample Page default/a: Page.example.com "a" is invalid: spec.text'],
  [{ text: "hello", txt: "x" }, 'unknown field "spec.txt"'],
])("a sample with the spec %j is refused before the first history", async (spec, message) => {
  const refused = [{ apiVersion: "example.com/v1", kind: "Page", metadata: { name: "a" }, spec }];
  await expect(Campaign.prepare(pages, { samples: refused })).rejects.toThrow(message);
});

async function failureOf(program: () => ReturnType<typeof pages>): Promise<SimulationError> {
  const rejected: unknown = await simulate(program, { samples, seeds: 60 }).catch((error: unknown) => error);
  if (!(rejected instanceof SimulationError)) throw new Error("the simulation found nothing");
  return rejected;
}

let found: SimulationError;
beforeAll(async () => {
  found = await failureOf(pagesThatThrow);
});

test("an operator made of the steps of levelset passes, and the report says what was covered", async () => {
  const { histories, neverReady, coverage } = await simulate(pages, { samples, seeds: 4 });
  expect({ histories, neverReady }).toEqual({ histories: 4, neverReady: [] });
  expect(coverage.phases).toEqual({ covered: ["page Content do", "page Title do"], missing: [] });
  expect([...coverage.fields.covered, ...coverage.fields.missing].toSorted()).toEqual(["Page spec.text"]);
});

test("a step that throws for a value that the schema allows is found, and the story is the shortest one", () => {
  const [failure] = found.failures;
  expect(failure?.violation).toMatchObject({ rule: "programming-error", object: "Page default/a" });
  expect(failure?.case.faults).toEqual([]);
  expect(failure?.case.history.operations.length).toBeLessThanOrEqual(2);
  expect(found.message).toContain("step failed with a programming error in step Title");
  expect(found.message).toContain('{"text":""}');
});

test("the same seed gives the same story, whatever seeds were simulated before", async () => {
  const campaign = await Campaign.prepare(pagesThatThrow, { samples });
  const { failure } = await campaign.runSeed(found.failures[0]?.seed ?? 0);
  if (failure === undefined) throw new Error("the seed found nothing");
  expect(storyText(failure)).toBe(found.message);
});

test("a corrected program passes the case", async () => {
  const campaign = await Campaign.prepare(pages, { samples });
  const [failure] = found.failures;
  if (failure === undefined) throw new Error("there is no failure");
  expect((await campaign.replay(failure.case)).violation).toBeUndefined();
});

test("a property that does not hold is found", async () => {
  const always = { "no page is ready": (world: PropertyWorld) => !world.list(Page).some((page) => isReady(page)) };
  const rejected = simulate(pages, { samples, seeds: 1, always });
  await expect(rejected).rejects.toThrow('The property "no page is ready" does not hold');
});

test("without samples, objects are drawn from the schema", async () => {
  const { neverReady } = await simulate(pages, { seeds: 1 });
  expect(neverReady).toEqual([]);
});
