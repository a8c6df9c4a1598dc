import { ConfigMap, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import type { Case } from "../run/index.ts";
import { Campaign } from "./campaign.ts";
import type { Failure } from "./campaign.ts";

const Page = kind({ group: "seed.levelset.dev", version: "v1", kind: "Page", spec: s.object({ text: s.string() }) });
const samples = [{ apiVersion: "seed.levelset.dev/v1", kind: "Page", metadata: { name: "a" }, spec: { text: "a" } }];
const content = child(Page, "Content", {
  kind: ConfigMap,
  desired: ({ name, spec }) => ({ metadata: { name }, data: { text: spec.text } }),
});

/** Returns a campaign of a program that throws while `isBroken` returns true. */
function campaignOf(isBroken: () => boolean): Promise<Campaign> {
  const broken = step(Page, "Broken", {
    do: () => {
      if (isBroken()) throw new TypeError("it is broken");
      return ok();
    },
  });
  return Campaign.prepare(() => operator(Page, [content, broken]), { samples });
}

const sizeOf = ({ history, faults }: Case): number => history.operations.length + faults.length;

test("a failure is reported before it is shrunk, and with each smaller case", async () => {
  const campaign = await campaignOf(() => true);
  const reported: Failure[] = [];
  const { failure } = await campaign.runSeed(1, undefined, (each) => reported.push(each));
  const sizes = reported.map((each) => sizeOf(each.case));
  expect(reported[0]?.case).toEqual((await campaign.examineSeed(1)).case);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(sizes.at(-1)).toBe(failure && sizeOf(failure.case));
  expect(sizes.length).toBeGreaterThan(1);
});

test("a signal ends the shrinking, and the case as far as it is shrunk is the result", async () => {
  const campaign = await campaignOf(() => true);
  const stop = new AbortController();
  const { failure } = await campaign.runSeed(1, stop.signal, () => stop.abort());
  expect(failure).toMatchObject({ violation: { rule: "programming-error" } });
  expect(failure?.case).toEqual((await campaign.examineSeed(1)).case);
});

test("the case of a failure is one that was seen to fail, also if its children cannot be named", async () => {
  let isBroken = true;
  const campaign = await campaignOf(() => isBroken);
  for (let seed = 1; ; seed += 1) {
    isBroken = true;
    const drawn = (await campaign.examineSeed(seed)).case;
    if (!drawn.history.operations.some((each) => each.do === "delete-child")) continue;
    // No case fails any more.
    const { failure } = await campaign.runSeed(seed, undefined, () => (isBroken = false));
    expect(failure?.case).toEqual(drawn);
    return;
  }
});

test("a failure has the violation and the explanation of its case", async () => {
  const campaign = await campaignOf(() => true);
  const { failure } = await campaign.runSeed(1);
  if (failure === undefined) throw new Error("the seed found nothing");
  expect(await campaign.replay(failure.case)).toMatchObject({ violation: failure.violation, why: failure.why });
});

test("a failure of one property is not shrunk to one of another property", async () => {
  const campaign = await Campaign.prepare(() => operator(Page, [content]), {
    samples,
    eventually: {
      "there are not two pages": (world) => world.list(Page).length !== 2,
      "there is no page": (world) => world.list(Page).length === 0,
    },
  });
  const object = "property there are not two pages";
  for (let seed = 1; ; seed += 1) {
    if ((await campaign.examineSeed(seed)).violation?.object !== object) continue;
    expect((await campaign.runSeed(seed)).failure).toMatchObject({ violation: { object } });
    return;
  }
});
