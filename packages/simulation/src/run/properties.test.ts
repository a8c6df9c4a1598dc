import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { Campaign, runSeeds } from "../campaign/index.ts";
import type { CampaignOptions } from "../campaign/index.ts";
import type { Violation } from "../violation/index.ts";

const Note = kind({
  group: "properties.levelset.dev",
  version: "v1",
  kind: "Note",
  spec: s.object({ text: s.string() }),
});
const note = {
  apiVersion: "properties.levelset.dev/v1",
  kind: "Note",
  metadata: { name: "a", namespace: "default" },
  spec: { text: "one" },
};
const created = { do: "create", object: note, afterMs: 60_000 } as const;

function campaignOf(properties: CampaignOptions): Promise<Campaign> {
  const nothing = step(Note, "Nothing", { do: () => ok() });
  return Campaign.prepare(() => operator(Note, [nothing]), { ...properties, samples: [note] });
}

async function violationOf(properties: CampaignOptions): Promise<Violation | undefined> {
  const campaign = await campaignOf(properties);
  return (await campaign.replay({ seed: 1, faults: [], history: { operations: [created] } })).violation;
}

/** As an assertion of a property does. */
function fail(): never {
  throw new RangeError("no text");
}

test.each<[what: string, properties: CampaignOptions, expected: string]>([
  ["always holds", { always: { "notes have a text": fail } }, "It holds at all times."],
  ["holds at rest", { eventually: { "notes have a text": fail } }, "It holds after all faults have ended."],
  ["monitors writes", { monitors: { "notes have a text": () => fail } }, "It holds after every write."],
  ["starts a monitor", { monitors: { "notes have a text": fail } }, "It holds after every write."],
])("a property that %s and throws is violated, with its message", async (_, properties, expected) => {
  expect(await violationOf(properties)).toEqual({
    rule: "property-violated",
    object: "property notes have a text",
    message: 'The property "notes have a text" does not hold: it throws: no text.',
    expected,
  });
});

test("a monitor that throws does not change the responses of the server", async () => {
  const campaign = await campaignOf({ monitors: { "notes have a text": () => fail } });
  const { run } = await campaign.replay({ seed: 1, faults: [], history: { operations: [created] } });
  expect(run.refused).toEqual(new Map());
  expect([...run.rest.roots.values()]).toEqual([true]);
});

test("a campaign continues after a property that throws", async () => {
  const campaign = await campaignOf({
    always: { "notes have a text": (world) => world.list(Note).length < 1 || fail() },
  });
  const results = await runSeeds(campaign, { seeds: 2, failures: 2 });
  expect(results.map(({ failure }) => failure?.violation.rule)).toEqual(["property-violated", "property-violated"]);
});
