import { ConfigMap, Deployment } from "@levelset/core";
import { child, ok, step } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "../adapter-harness.fixture.ts";
import { adapter } from "./index.ts";
import { Cluster, NETWORK } from "./network.fixture.ts";

/** Returns the reason of the last reported Health condition. */
async function healthReason(harness: AdapterHarness, id: string): Promise<string | undefined> {
  for await (const { conditions, progress } of harness.clusters.statuses(id)) {
    return (progress?.conditions ?? conditions).find(({ type }) => type === "Health")?.reason;
  }
  return undefined;
}

describe("an adapter made of steps whose cluster is unreachable", () => {
  test("reports that at start, and does its work when the cluster is back", async () => {
    await using harness = await AdapterHarness.open();
    harness.cutCluster();
    await harness.start(NETWORK);
    const id = await harness.create();
    const outcome = await harness.pulseFor(id, 60_000);
    expect(outcome).toMatchObject({ status: "failed", isRetryable: false });
    expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=Unknown Health=False");
    expect(await healthReason(harness, id)).toBe("ClusterUnreachable");
    harness.clusterFault = undefined;
    await harness.advance(120_000);
    await harness.pulseFor(id, 120_000);
    expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  });

  test("runs again without a pulse when the cluster is reachable again, even if no object has changed", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    harness.cutCluster();
    await harness.advance(60_000);
    await harness.pulseFor(id, 60_000);
    expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    harness.clusterFault = undefined;
    await harness.advance(120_000);
    expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  });

  test("does not lose the status remembered by its steps", async () => {
    await using harness = await AdapterHarness.open();
    const remembering = adapter(Cluster, "network", [
      child(Cluster, "Settings", {
        kind: ConfigMap,
        desired: ({ name }) => ({ metadata: { name, namespace: "default" } }),
      }),
      step(Cluster, "Remember", {
        preserveStatus: ["seen"],
        do: (req) => {
          req.status.seen = (req.object.status?.seen ?? 6) + 1;
          return ok();
        },
      }),
    ]);
    await harness.start(remembering);
    const id = await harness.create();
    await harness.pulse(id);
    await harness.end();
    harness.cutCluster();
    await harness.start(remembering);
    await harness.advance(1_000);
    await harness.pulseFor(id, 60_000);
    expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    for await (const { progress } of harness.clusters.statuses(id)) {
      expect(progress?.data).toMatchObject({ status: { seen: 7 } });
    }
    expect.assertions(2);
  });

  test("does not report a goal as reached from stale data", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    harness.cutCluster();
    await harness.cluster.delete(Deployment, "router", `fleet-${id}`);
    await harness.advance(30 * 60_000);
    await harness.pulseFor(id, 60_000);
    expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    expect(await healthReason(harness, id)).toBe("ClusterUnreachable");
    expect(await harness.condition(id, "Ready")).toBe("True");
    harness.clusterFault = undefined;
    // Without another pulse.
    await harness.advance(120_000);
    expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    expect(await harness.cluster.get(Deployment, "router", `fleet-${id}`)).toBeDefined();
  });
});
