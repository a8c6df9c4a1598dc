import { describe, expect, test } from "vitest";
import { localCaller } from "../service/index.ts";
import type { Resource, ResourceCondition } from "../resource/index.ts";
import { EVERY_TENANT } from "../store/index.ts";
import { PulsedFleet, TOPIC } from "./pulsed-fleet.fixture.ts";

/** An adapter that reports the opposite verdict on each pulse while it flaps; else it says that all is well. */
class FlappingAdapter {
  pulses = 0;
  isFlapping = true;
  #verdict = false;

  static async start(fleet: PulsedFleet, name = "validation"): Promise<FlappingAdapter> {
    const adapter = new FlappingAdapter();
    await fleet.broker.subscribe(TOPIC, name, async ({ event }) => {
      adapter.pulses++;
      adapter.#verdict = adapter.isFlapping ? !adapter.#verdict : true;
      await fleet.report(String(event.partitionkey), name, adapter.#verdict ? "True" : "False");
    });
    return adapter;
  }

  /** How many pulses arrived since this was last asked. */
  taken(): number {
    const { pulses } = this;
    this.pulses = 0;
    return pulses;
  }
}

async function flappingOf(fleet: PulsedFleet, { id }: Resource): Promise<ResourceCondition | undefined> {
  const { resource } = await fleet.fleet.get(localCaller("r"), { id });
  return resource.conditions.find(({ type }) => type === "Flapping");
}

describe("an adapter whose verdict alternates", () => {
  test("is pulsed a few times at once, then after growing delays, and at last once per not-ready TTL", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    await fleet.pass(100);
    await fleet.report(cluster.id, "dns", "False");
    await fleet.pass(12_900);
    expect(adapter.taken()).toBeLessThanOrEqual(10);
    await fleet.pass(20_000); // the delay has grown to the TTL
    adapter.taken();
    await fleet.pass(60_000);
    // Six by its own deadline, and six by that of the other adapter, which is silent.
    expect(adapter.taken()).toBeLessThanOrEqual(12);
  });

  test("is named by the condition Flapping, which goes by itself when its verdict is steady", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    expect(await flappingOf(fleet, cluster)).toBeUndefined();
    await fleet.pass(100);
    await fleet.report(cluster.id, "dns", "False");
    await fleet.pass(20_000);
    expect(await flappingOf(fleet, cluster)).toMatchObject({
      status: "True",
      reason: "AdapterFlapping",
      message: expect.stringContaining("validation"),
    });
    adapter.isFlapping = false;
    await fleet.report(cluster.id, "dns", "True");
    await fleet.pass(60_000);
    expect(await flappingOf(fleet, cluster)).toBeUndefined();
    adapter.taken();
    await fleet.pass(60_000);
    expect(adapter.taken()).toBe(0); // Ready: not before the long TTL
  });

  test("does not delay the pulse for a change of the spec", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    await fleet.pass(100);
    await fleet.report(cluster.id, "dns", "False");
    await fleet.pass(35_000);
    await fleet.patch(cluster.id, { size: 2 });
    adapter.taken();
    await fleet.pass(100);
    expect(adapter.taken()).toBeGreaterThanOrEqual(1);
  });

  test("does not delay the pulse for the verdict of another adapter", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    await fleet.report(cluster.id, "dns", "False");
    await fleet.pass(35_000);
    adapter.taken();
    while (
      (await fleet.fleet.get(localCaller("r"), { id: cluster.id })).resource.conditions.some(
        ({ type, status }) => type === "ValidationSuccessful" && status === "True",
      )
    ) {
      await fleet.pass(1_000);
    }
    adapter.taken();
    await fleet.report(cluster.id, "dns", "True");
    await fleet.pass(100);
    expect(adapter.taken()).toBe(1);
  });

  test("keeps the reports of others in the history", async () => {
    await using fleet = await PulsedFleet.open();
    const cluster = await fleet.create("c");
    await fleet.report(cluster.id, "dns", "False");
    for (let flip = 0; flip < 30; flip++) {
      await fleet.pass(10);
      await fleet.report(cluster.id, "validation", flip % 2 === 0 ? "True" : "False");
    }
    await fleet.store.trim({ reportsPerResource: 10, auditBefore: 0, answersBefore: 0, removedBefore: 0 });
    const history = await fleet.store.journal({
      scope: EVERY_TENANT,
      resourceId: cluster.id,
      actions: ["report"],
      limit: 50,
    });
    expect(history.map(({ adapter }) => adapter)).toEqual([...Array.from({ length: 9 }, () => "validation"), "dns"]);
  });
});

test("a healthy resource is Ready without a delay, also when an adapter changes its verdict once or twice on the way", async () => {
  await using fleet = await PulsedFleet.open();
  fleet.start();
  const cluster = await fleet.create("c");
  await fleet.pass(100);
  expect(fleet.taken().get(cluster.id)).toBe(1);
  for (const verdict of ["False", "True", "False"] as const) {
    await fleet.report(cluster.id, "dns", verdict);
    await fleet.pass(100);
    expect(fleet.taken().get(cluster.id)).toBe(1);
  }
});
