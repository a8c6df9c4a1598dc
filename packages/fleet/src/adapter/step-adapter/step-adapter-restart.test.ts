import { Deployment } from "@levelset/core";
import { ok, step } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "../adapter-harness.fixture.ts";
import { adapter } from "./index.ts";
import { Cluster, NETWORK } from "./network.fixture.ts";

describe("a restarted adapter", () => {
  test("notices a change of a child before any pulse, and fixes drift from the time it was down", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const ids = [await harness.create(), await harness.create()];
    for (const id of ids) await harness.pulse(id);
    await harness.advance(60_000);
    const [away = "", later = ""] = ids;
    const edit = { spec: { replicas: 7 } };
    await harness.end();
    await harness.cluster.patch(Deployment, "router", edit, `fleet-${away}`);
    await harness.start(NETWORK);
    await harness.advance(1_000);
    const replicas = async (id: string): Promise<unknown> =>
      (await harness.cluster.get(Deployment, "router", `fleet-${id}`))?.spec.replicas;
    expect(await replicas(away)).toBe(1);
    await harness.cluster.patch(Deployment, "router", edit, `fleet-${later}`);
    await harness.advance(1_000);
    expect(await replicas(later)).toBe(1);
  });

  test("sends no report if nothing has changed", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    const reports = (): number => harness.requests.filter((request) => request.startsWith("PUT")).length;
    const before = reports();
    await harness.start(NETWORK);
    await harness.advance(60_000);
    expect(reports()).toBe(before);
  });
});

describe("a spec that does not match the adapter's declaration", () => {
  test("is reported with the field, its steps do not run, and existing objects stay", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create({ replicas: 2 });
    await harness.pulse(id);
    await harness.advance(60_000);
    await harness.clusters.patch(id, { spec: { replicas: "many" } });
    const outcome = await harness.pulse(id);
    expect(outcome).toMatchObject({ status: "failed", isRetryable: false });
    expect(await harness.reported(id)).toBe("@2 Available=False Applied=False Health=True");
    for await (const { conditions } of harness.clusters.statuses(id)) {
      expect(conditions[0]).toMatchObject({ reason: "InvalidSpec", message: expect.stringContaining("spec.replicas") });
    }
    expect((await harness.cluster.get(Deployment, "router", `fleet-${id}`))?.spec.replicas).toBe(2);
    await harness.clusters.delete(id);
    await harness.pulse(id);
    await harness.advance(60_000);
    expect(await harness.resource(id)).toBeUndefined();
  });

  test("does not lose the status remembered by its steps", async () => {
    await using harness = await AdapterHarness.open();
    const counting = adapter(Cluster, "network", [
      step(Cluster, "Count", {
        preserveStatus: ["seen"],
        do: (req) => {
          req.status.seen = (req.object.status?.seen ?? 0) + 1;
          return ok();
        },
      }),
    ]);
    await harness.start(counting);
    const id = await harness.create({ replicas: 2 });
    await harness.pulse(id);
    await harness.clusters.patch(id, { spec: { replicas: "many" } });
    await harness.pulse(id);
    await harness.clusters.patch(id, { spec: { replicas: 3 } });
    await harness.start(counting);
    await harness.advance(1_000);
    await harness.pulse(id);
    const data: unknown[] = [];
    for await (const status of harness.clusters.statuses(id)) data.push(status.data);
    // Once for each pulse with a valid spec, and once for the restart.
    expect(data).toMatchObject([{ status: { seen: 3 } }]);
  });
});
