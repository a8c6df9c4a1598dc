import { readFileSync } from "node:fs";
import { isJsonObject, Namespace } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "./adapter-harness.fixture.ts";
import { parseYaml } from "./yaml.ts";

const MINUTE = 60_000;
const DIRECTORY = new URL("../../../../examples/06-fleet/validation/", import.meta.url);

/** The task of the example configuration. */
function validation(): JsonObject {
  const content = parseYaml(readFileSync(new URL("adapter-task-config.yaml", DIRECTORY), "utf8"));
  if (!isJsonObject(content)) throw new TypeError("the task is not a mapping");
  return content;
}

/** Creates a cluster that the example's adapter reported as Available. */
async function validated(): Promise<{ readonly stage: AdapterHarness; readonly id: string }> {
  const harness = await AdapterHarness.open({ adapters: ["validation"] });
  await harness.startTask("validation", validation(), (path) => readFileSync(new URL(`.${path}`, DIRECTORY), "utf8"));
  const id = await harness.create({ region: "eu" });
  await harness.pulse(id);
  await harness.advance(5_000);
  await harness.pulse(id);
  expect(await harness.reported(id)).toContain("@1 Available=True Applied=True Health=True");
  harness.clusterRequests.length = 0;
  harness.requests.length = 0;
  return { stage: harness, id };
}

/** Number of reports sent by the adapter since the cluster was validated. */
function reports({ requests }: AdapterHarness): number {
  return requests.filter((request) => request.startsWith("PUT")).length;
}

describe("the validation adapter of the examples", () => {
  test("skips its work within the TTL: a second pulse sends no cluster request and no report", async () => {
    const { stage: harness, id } = await validated();
    await using _ = harness;
    await harness.advance(29 * MINUTE);
    const outcome = await harness.pulse(id);
    expect(outcome).toMatchObject({ status: "skipped", errors: [], isRetryable: false });
    expect(outcome.skipReason).toContain("precondition 'statuses' not met");
    expect(harness.clusterRequests).toEqual([]);
    expect(reports(harness)).toBe(0);
  });

  test("repeats its work once the last report is as old as the TTL", async () => {
    const { stage: harness, id } = await validated();
    await using _ = harness;
    await harness.advance(30 * MINUTE);
    expect(await harness.pulse(id)).toMatchObject({ status: "success" });
    expect(harness.clusterRequests.length).toBeGreaterThan(0);
    expect(reports(harness)).toBe(1);
  });

  test("runs at once for a new generation", async () => {
    const { stage: harness, id } = await validated();
    await using _ = harness;
    await harness.clusters.patch(id, { spec: { region: "us" } });
    expect(await harness.pulse(id)).toMatchObject({ status: "success" });
    expect(harness.clusterRequests.length).toBeGreaterThan(0);
    expect(await harness.reported(id)).toContain("@2 ");
  });

  test("fixes drift in the cluster at once, even within the TTL", async () => {
    const { stage: harness, id } = await validated();
    await using _ = harness;
    await harness.cluster.delete(Namespace, `fleet-${id}`);
    await harness.advance(5_000);
    expect(await harness.pulse(id)).toMatchObject({ status: "skipped" });
    await harness.pulse(id, undefined, "change");
    expect(await harness.cluster.get(Namespace, `fleet-${id}`)).toBeDefined();
  });

  test("deletes at once", async () => {
    const { stage: harness, id } = await validated();
    await using _ = harness;
    await harness.clusters.delete(id);
    for (let n = 0; n < 4; n += 1) {
      await harness.advance(1_000);
      await harness.pulse(id);
    }
    expect(await harness.resource(id)).toBeUndefined();
  });
});
