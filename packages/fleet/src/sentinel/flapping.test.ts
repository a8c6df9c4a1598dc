import { describe, expect, test } from "vitest";
import { localCaller } from "../service/index.ts";
import type { Resource, ResourceCondition } from "../resource/index.ts";
import { EVERY_TENANT } from "../store/index.ts";
import { PulsedFleet, TOPIC } from "./pulsed-fleet.fixture.ts";

/** An adapter that reports the opposite verdict on each pulse while it flaps, and otherwise reports success. */
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

  /** Returns the number of pulses since the last call. */
  takePulses(): number {
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
  test("is pulsed a few times at once, then with growing delays, and finally once per not-ready TTL", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    await fleet.advance(100);
    await fleet.report(cluster.id, "dns", "False");
    await fleet.advance(12_900);
    expect(adapter.takePulses()).toBeLessThanOrEqual(10);
    await fleet.advance(20_000); // the delay has grown to the TTL
    adapter.takePulses();
    await fleet.advance(60_000);
    // Six by its own deadline, and six by that of the other adapter, which never reports.
    expect(adapter.takePulses()).toBeLessThanOrEqual(12);
  });

  test("is named by the condition Flapping, which is removed when the verdict is stable", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    expect(await flappingOf(fleet, cluster)).toBeUndefined();
    await fleet.advance(100);
    await fleet.report(cluster.id, "dns", "False");
    await fleet.advance(20_000);
    expect(await flappingOf(fleet, cluster)).toMatchObject({
      status: "True",
      reason: "AdapterFlapping",
      message: expect.stringContaining("validation"),
    });
    adapter.isFlapping = false;
    await fleet.report(cluster.id, "dns", "True");
    await fleet.advance(60_000);
    expect(await flappingOf(fleet, cluster)).toBeUndefined();
    adapter.takePulses();
    await fleet.advance(60_000);
    expect(adapter.takePulses()).toBe(0); // Ready: not before the long TTL
  });

  test("does not delay the pulse for a spec change", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    await fleet.advance(100);
    await fleet.report(cluster.id, "dns", "False");
    await fleet.advance(35_000);
    await fleet.patch(cluster.id, { size: 2 });
    adapter.takePulses();
    await fleet.advance(100);
    expect(adapter.takePulses()).toBeGreaterThanOrEqual(1);
  });

  test("does not delay the pulse for another adapter's verdict", async () => {
    await using fleet = await PulsedFleet.open();
    const adapter = await FlappingAdapter.start(fleet);
    fleet.start();
    const cluster = await fleet.create("c");
    await fleet.report(cluster.id, "dns", "False");
    await fleet.advance(35_000);
    adapter.takePulses();
    while (
      (await fleet.fleet.get(localCaller("r"), { id: cluster.id })).resource.conditions.some(
        ({ type, status }) => type === "ValidationSuccessful" && status === "True",
      )
    ) {
      await fleet.advance(1_000);
    }
    adapter.takePulses();
    await fleet.report(cluster.id, "dns", "True");
    await fleet.advance(100);
    expect(adapter.takePulses()).toBe(1);
  });

  test("does not evict the reports of others from the history", async () => {
    await using fleet = await PulsedFleet.open();
    const cluster = await fleet.create("c");
    await fleet.report(cluster.id, "dns", "False");
    for (let flip = 0; flip < 30; flip++) {
      await fleet.advance(10);
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

test("a healthy resource is Ready without a delay, even if an adapter changes its verdict once or twice before", async () => {
  await using fleet = await PulsedFleet.open();
  fleet.start();
  const cluster = await fleet.create("c");
  await fleet.advance(100);
  expect(fleet.takePulses().get(cluster.id)).toBe(1);
  for (const verdict of ["False", "True", "False"] as const) {
    await fleet.report(cluster.id, "dns", verdict);
    await fleet.advance(100);
    expect(fleet.takePulses().get(cluster.id)).toBe(1);
  }
});
