import { fail, ok, step, wait } from "@levelset/operator";
import { expect, test } from "vitest";
import { AdapterHarness } from "../adapter-harness.fixture.ts";
import { adapter } from "./index.ts";
import { Cluster } from "./network.fixture.ts";

test("a report shows the messages of all steps that are equally bad, each once, and of no others", async () => {
  await using harness = await AdapterHarness.open();
  const flush = (message: string) => () => fail(message);
  const steps = [
    step(Cluster, "Busy", { condition: "Busy", do: () => ok(), post: () => wait("still copying") }),
    step(Cluster, "Left", { condition: "Left", do: () => ok(), post: flush("the left disk is full") }),
    step(Cluster, "Right", { condition: "Right", do: () => fail("no route"), post: flush("the right disk is full") }),
  ];
  await harness.start(adapter(Cluster, "network", steps));
  const id = await harness.create();
  await harness.pulse(id);
  const message = "Left: the left disk is full; Right: no route; the right disk is full";
  for await (const { conditions } of harness.clusters.statuses(id)) {
    expect(conditions[0]).toMatchObject({ type: "Available", status: "Unknown", reason: "Error", message });
  }
  expect.assertions(1);
});
