import { ConfigMap, Event, silentLogger } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { EventRecorder } from "./index.ts";

async function setUp(
  cluster: TestCluster,
): Promise<{ readonly recorder: EventRecorder; readonly object: ObjectOf<typeof ConfigMap> }> {
  const object = await cluster.create(ConfigMap, { name: "a" });
  const client = new Client({ fetch: cluster.faults.fetch, fieldManager: "test" });
  const { clock } = cluster;
  const options = { client, clock, random: seededRandom(1), logger: silentLogger, component: "levelset-test" };
  return { recorder: new EventRecorder(options), object };
}

const reported = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.list(Event)).map(({ count, type, reason, message }) => `${count}× ${type} ${reason}: ${message}`);

describe("events", () => {
  test("refer to the object, and repeated Events are counted", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    for (let n = 0; n < 5; n++) recorder.record(object, { reason: "Renewed", message: "the certificate is new" });
    recorder.record(object, { type: "Warning", reason: "Broken", message: "no key" });
    await recorder.flush();
    expect(await reported(cluster)).toEqual(
      expect.arrayContaining(["5× Normal Renewed: the certificate is new", "1× Warning Broken: no key"]),
    );
    const [event] = await cluster.list(Event);
    expect(event).toMatchObject({
      involvedObject: { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: object.metadata.uid },
      source: { component: "levelset-test" },
    });
  });

  test("have messages that the API server accepts for any quoted text", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    recorder.record(object, { reason: "Long", message: `${"x".repeat(1_023)}😀` });
    recorder.record(object, { reason: "Odd", message: "a\ud800b\0c" });
    await recorder.flush();
    expect((await reported(cluster)).toSorted()).toEqual([
      `1× Normal Long: ${"x".repeat(1_023)}`,
      "1× Normal Odd: a\ufffdb\ufffdc",
    ]);
  });

  test("with many different messages for the same reason are combined", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    for (let n = 0; n < 20; n++) recorder.record(object, { reason: "Tried", message: `attempt ${n}` });
    await recorder.flush();
    const events = await reported(cluster);
    expect(events).toHaveLength(11);
    expect(events).toContain("10× Normal Tried: (combined from similar events): attempt 19");
  });

  test("of a noisy object are rate-limited, those of other objects are not", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    const other = await cluster.create(ConfigMap, { name: "b" });
    for (let n = 0; n < 100; n++) recorder.record(object, { reason: `Reason${n}`, message: "again" });
    recorder.record(other, { reason: "Fine", message: "here" });
    await recorder.flush();
    expect(await reported(cluster)).toHaveLength(26);
    expect(recorder.dropped).toBe(75);
    await cluster.clock.advance(300_000);
    recorder.record(object, { reason: "Later", message: "one more" });
    await recorder.flush();
    expect(await reported(cluster)).toContain("1× Normal Later: one more");
  });

  test("stay rate-limited after the wall clock was set back", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    recorder.record(object, { reason: "First", message: "x" });
    cluster.clock.stepWall(-24 * 3_600_000);
    for (let n = 0; n < 99; n++) recorder.record(object, { reason: `Reason${n}`, message: "again" });
    await recorder.flush();
    expect(recorder.dropped).toBe(75);
  });

  test("never throw, and are created again after another client deleted them", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    cluster.faults.failNth(1, { kind: "refused" });
    recorder.record(object, { reason: "Lost", message: "x" });
    recorder.record(object, { reason: "Kept", message: "y" });
    await recorder.flush();
    expect(await reported(cluster)).toEqual(["1× Normal Kept: y"]);
    const [event] = await cluster.list(Event);
    await cluster.delete(Event, event?.metadata.name ?? "");
    recorder.record(object, { reason: "Kept", message: "y" });
    await recorder.flush();
    expect(await reported(cluster)).toEqual(["1× Normal Kept: y"]);
  });
});
