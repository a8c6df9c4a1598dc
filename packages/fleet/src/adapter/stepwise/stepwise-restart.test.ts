import { Deployment } from "@levelset/core";
import { ok, step } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { Stage } from "../stage.fixture.ts";
import { adapter } from "./index.ts";
import { Cluster, NETWORK } from "./network.fixture.ts";

describe("an adapter that was started anew", () => {
  test("hears of a change of a child before any pulse, and has mended what changed while it was away", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const ids = [await stage.create(), await stage.create()];
    for (const id of ids) await stage.pulse(id);
    await stage.pass(60_000);
    const [away = "", later = ""] = ids;
    const edit = { spec: { replicas: 7 } };
    await stage.end();
    await stage.cluster.patch(Deployment, "router", edit, `fleet-${away}`);
    await stage.start(NETWORK);
    await stage.pass(1_000);
    const replicas = async (id: string): Promise<unknown> =>
      (await stage.cluster.get(Deployment, "router", `fleet-${id}`))?.spec.replicas;
    expect(await replicas(away)).toBe(1);
    await stage.cluster.patch(Deployment, "router", edit, `fleet-${later}`);
    await stage.pass(1_000);
    expect(await replicas(later)).toBe(1);
  });

  test("reports nothing where nothing has changed", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    const reports = (): number => stage.requests.filter((request) => request.startsWith("PUT")).length;
    const before = reports();
    await stage.start(NETWORK);
    await stage.pass(60_000);
    expect(reports()).toBe(before);
  });
});

describe("a spec that is not what the adapter declares", () => {
  test("is reported with the field, its steps are not run, and what runs stays", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create({ replicas: 2 });
    await stage.pulse(id);
    await stage.pass(60_000);
    await stage.clusters.patch(id, { spec: { replicas: "many" } });
    const outcome = await stage.pulse(id);
    expect(outcome).toMatchObject({ status: "failed", isRetryable: false });
    expect(await stage.reported(id)).toBe("@2 Available=False Applied=False Health=True");
    for await (const { conditions } of stage.clusters.statuses(id)) {
      expect(conditions[0]).toMatchObject({ reason: "InvalidSpec", message: expect.stringContaining("spec.replicas") });
    }
    expect((await stage.cluster.get(Deployment, "router", `fleet-${id}`))?.spec.replicas).toBe(2);
    await stage.clusters.delete(id);
    await stage.pulse(id);
    await stage.pass(60_000);
    expect(await stage.resource(id)).toBeUndefined();
  });

  test("does not make the adapter forget what its steps remember", async () => {
    await using stage = await Stage.open();
    const counting = adapter(Cluster, "network", [
      step(Cluster, "Count", {
        keeps: ["seen"],
        do: (req) => {
          req.status.seen = (req.object.status?.seen ?? 0) + 1;
          return ok();
        },
      }),
    ]);
    await stage.start(counting);
    const id = await stage.create({ replicas: 2 });
    await stage.pulse(id);
    await stage.clusters.patch(id, { spec: { replicas: "many" } });
    await stage.pulse(id);
    await stage.clusters.patch(id, { spec: { replicas: 3 } });
    await stage.start(counting);
    await stage.pass(1_000);
    await stage.pulse(id);
    const data: unknown[] = [];
    for await (const status of stage.clusters.statuses(id)) data.push(status.data);
    // Once for each pulse with a valid spec, and once because it was started anew.
    expect(data).toMatchObject([{ status: { seen: 3 } }]);
  });
});
