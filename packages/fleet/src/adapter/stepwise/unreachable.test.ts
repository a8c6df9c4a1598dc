import { ConfigMap, Deployment } from "@levelset/core";
import { child, ok, step } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { Stage } from "../stage.fixture.ts";
import { adapter } from "./index.ts";
import { Cluster, NETWORK } from "./network.fixture.ts";

/** Reason of the Health that was reported last. */
async function healthReason(stage: Stage, id: string): Promise<string | undefined> {
  for await (const { conditions, progress } of stage.clusters.statuses(id)) {
    return (progress?.conditions ?? conditions).find(({ type }) => type === "Health")?.reason;
  }
  return undefined;
}

describe("an adapter made of steps whose cluster is unreachable", () => {
  test("says so when it starts, and does its work when the cluster is back", async () => {
    await using stage = await Stage.open();
    stage.cutCluster();
    await stage.start(NETWORK);
    const id = await stage.create();
    const outcome = await stage.pulseFor(id, 60_000);
    expect(outcome).toMatchObject({ status: "failed", isRetryable: false });
    expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=Unknown Health=False");
    expect(await healthReason(stage, id)).toBe("ClusterUnreachable");
    stage.clusterFault = undefined;
    await stage.pass(120_000);
    await stage.pulseFor(id, 120_000);
    expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  });

  test("judges again by itself when the cluster is back, also if nothing has changed there", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    stage.cutCluster();
    await stage.pass(60_000);
    await stage.pulseFor(id, 60_000);
    expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    stage.clusterFault = undefined;
    await stage.pass(120_000);
    expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  });

  test("does not forget what its steps remember", async () => {
    await using stage = await Stage.open();
    const remembering = adapter(Cluster, "network", [
      child(Cluster, "Settings", {
        kind: ConfigMap,
        desired: ({ name }) => ({ metadata: { name, namespace: "default" } }),
      }),
      step(Cluster, "Remember", {
        keeps: ["seen"],
        do: (req) => {
          req.status.seen = (req.object.status?.seen ?? 6) + 1;
          return ok();
        },
      }),
    ]);
    await stage.start(remembering);
    const id = await stage.create();
    await stage.pulse(id);
    await stage.end();
    stage.cutCluster();
    await stage.start(remembering);
    await stage.pass(1_000);
    await stage.pulseFor(id, 60_000);
    expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    for await (const { progress } of stage.clusters.statuses(id)) {
      expect(progress?.data).toMatchObject({ status: { seen: 7 } });
    }
    expect.assertions(2);
  });

  test("does not call a goal reached from what it read before", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    stage.cutCluster();
    await stage.cluster.delete(Deployment, "router", `fleet-${id}`);
    await stage.pass(30 * 60_000);
    await stage.pulseFor(id, 60_000);
    expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    expect(await healthReason(stage, id)).toBe("ClusterUnreachable");
    expect(await stage.condition(id, "Ready")).toBe("True");
    stage.clusterFault = undefined;
    // Without another pulse.
    await stage.pass(120_000);
    expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    expect(await stage.cluster.get(Deployment, "router", `fleet-${id}`)).toBeDefined();
  });
});
