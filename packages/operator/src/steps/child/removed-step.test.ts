import { ConfigMap, Job, Pod } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { ok, step } from "../../engine/index.ts";
import { App, describeJobRuns, migrate } from "../job/app.fixture.ts";
import { child } from "./child.ts";
import type { ChildStepOptions } from "./child.ts";

const LONG = { "sim.levelset.dev/run-for": "10m" };

type Hold = Pick<ChildStepOptions<App, typeof ConfigMap, readonly [], undefined>, "owned" | "protect">;

describe("the last release of a step, in which it desires no object,", () => {
  test.for<Hold>([{}, { owned: false }, { protect: true }])("removes its child: %o", async (hold) => {
    await using cluster = await testCluster();
    const first = cluster.run(
      operator(App, [
        child(App, "Settings", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name } }), ...hold }),
      ]),
    );
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    await cluster.untilSettled(ConfigMap, "a");
    await first.stop();
    cluster.run(operator(App, [child(App, "Settings", { kind: ConfigMap, desired: () => undefined, ...hold })]));
    expect(await cluster.untilSettled(App, "a")).toBeReady();
    expect(await cluster.list(ConfigMap, "default")).toEqual([]);
  });

  test("waits for its Job, deletes it, and leaves no finalizer", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: LONG } });
    await cluster.untilSettled(Job, "a-migrate");
    await first.stop();
    const second = cluster.run(operator(App, [migrate({ desired: () => undefined })]));
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("MigrationReady", "False", { severity: "Info" });
    await cluster.clock.advance(900_000);
    expect(await cluster.untilSettled(App, "a")).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
    expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
    await second.stop();
    cluster.run(operator(App, [step(App, "Rest", { do: () => ok() })]));
    expect((await cluster.untilSettled(App, "a")).metadata.finalizers).toBeUndefined();
  });
});
