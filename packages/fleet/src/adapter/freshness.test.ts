import { readFileSync } from "node:fs";
import { isJsonObject, Namespace } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Stage } from "./stage.fixture.ts";
import { parseYaml } from "./yaml.ts";

const MINUTE = 60_000;
const DIRECTORY = new URL("../../../../examples/06-fleet/validation/", import.meta.url);

/** The task of the example. */
function validation(): JsonObject {
  const content = parseYaml(readFileSync(new URL("adapter-task-config.yaml", DIRECTORY), "utf8"));
  if (!isJsonObject(content)) throw new TypeError("the task is no mapping");
  return content;
}

/** A cluster that the example's adapter has found to be Available. */
async function validated(): Promise<{ readonly stage: Stage; readonly id: string }> {
  const stage = await Stage.open({ adapters: ["validation"] });
  await stage.startTask("validation", validation(), (path) => readFileSync(new URL(`.${path}`, DIRECTORY), "utf8"));
  const id = await stage.create({ region: "eu" });
  await stage.pulse(id);
  await stage.pass(5_000);
  await stage.pulse(id);
  expect(await stage.reported(id)).toContain("@1 Available=True Applied=True Health=True");
  stage.clusterRequests.length = 0;
  stage.requests.length = 0;
  return { stage, id };
}

/** Reports since the cluster was validated. Those of the user are no reports. */
function reports({ requests }: Stage): number {
  return requests.filter((request) => request.startsWith("PUT")).length;
}

describe("the validation of the examples", () => {
  test("does no work twice within the TTL: a second pulse sends no request to the cluster, and no report", async () => {
    const { stage, id } = await validated();
    await using _ = stage;
    await stage.pass(29 * MINUTE);
    const outcome = await stage.pulse(id);
    expect(outcome).toMatchObject({ status: "skipped", errors: [], isRetryable: false });
    expect(outcome.skipReason).toContain("precondition 'statuses' not met");
    expect(stage.clusterRequests).toEqual([]);
    expect(reports(stage)).toBe(0);
  });

  test("does its work again when the last report is as old as the TTL", async () => {
    const { stage, id } = await validated();
    await using _ = stage;
    await stage.pass(30 * MINUTE);
    expect(await stage.pulse(id)).toMatchObject({ status: "success" });
    expect(stage.clusterRequests.length).toBeGreaterThan(0);
    expect(reports(stage)).toBe(1);
  });

  test("does its work at once for a new generation", async () => {
    const { stage, id } = await validated();
    await using _ = stage;
    await stage.clusters.patch(id, { spec: { region: "us" } });
    expect(await stage.pulse(id)).toMatchObject({ status: "success" });
    expect(stage.clusterRequests.length).toBeGreaterThan(0);
    expect(await stage.reported(id)).toContain("@2 ");
  });

  test("fixes what was changed in the cluster at once, also within the TTL", async () => {
    const { stage, id } = await validated();
    await using _ = stage;
    await stage.cluster.delete(Namespace, `fleet-${id}`);
    await stage.pass(5_000);
    expect(await stage.pulse(id)).toMatchObject({ status: "skipped" });
    await stage.pulse(id, undefined, "change");
    expect(await stage.cluster.get(Namespace, `fleet-${id}`)).toBeDefined();
  });

  test("deletes at once", async () => {
    const { stage, id } = await validated();
    await using _ = stage;
    await stage.clusters.delete(id);
    for (let n = 0; n < 4; n += 1) {
      await stage.pass(1_000);
      await stage.pulse(id);
    }
    expect(await stage.resource(id)).toBeUndefined();
  });
});
