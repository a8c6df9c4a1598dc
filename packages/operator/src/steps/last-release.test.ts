import { ConfigMap, Job, Pod } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "../step/index.ts";
import { App, jobStory, migrate } from "./app.fixture.ts";
import { child } from "./child.ts";
import type { ChildStepOptions } from "./child.ts";

const LONG = { "sim.levelset.dev/run-for": "10m" };

type Hold = Pick<ChildStepOptions<App, typeof ConfigMap, readonly [], undefined>, "owned" | "protect">;

describe("the last release of a step, in which it desires nothing,", () => {
  test.for<Hold>([{}, { owned: false }, { protect: true }])("removes its child: %o", async (hold) => {
    await using cluster = await testCluster();
    const first = cluster.run(
      operator(App, [
        child(App, "Settings", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name } }), ...hold }),
      ]),
    );
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    await cluster.settled(ConfigMap, "a");
    await first.stop();
    cluster.run(operator(App, [child(App, "Settings", { kind: ConfigMap, desired: () => undefined, ...hold })]));
    expect(await cluster.settled(App, "a")).toBeReady();
    expect(await cluster.list(ConfigMap, "default")).toEqual([]);
  });

  test("lets its Job end, removes it, and leaves nothing that would hold the object", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: LONG } });
    await cluster.settled(Job, "a-migrate");
    await first.stop();
    const second = cluster.run(operator(App, [migrate({ desired: () => undefined })]));
    expect(await cluster.settled(App, "a")).toHaveCondition("MigrationReady", "False", { severity: "Info" });
    await cluster.clock.advance(900_000);
    expect(await cluster.settled(App, "a")).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
    expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
    await second.stop();
    cluster.run(operator(App, [step(App, "Rest", { do: () => ok() })]));
    expect((await cluster.settled(App, "a")).metadata.finalizers).toBeUndefined();
  });
});
