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

const told = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.list(Event)).map(({ count, type, reason, message }) => `${count}× ${type} ${reason}: ${message}`);

describe("events", () => {
  test("are about the object, and what is told again is counted", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    for (let n = 0; n < 5; n++) recorder.tell(object, { reason: "Renewed", message: "the certificate is new" });
    recorder.tell(object, { type: "Warning", reason: "Broken", message: "no key" });
    await recorder.flush();
    expect(await told(cluster)).toEqual(
      expect.arrayContaining(["5× Normal Renewed: the certificate is new", "1× Warning Broken: no key"]),
    );
    const [event] = await cluster.list(Event);
    expect(event).toMatchObject({
      involvedObject: { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: object.metadata.uid },
      source: { component: "levelset-test" },
    });
  });

  test("have messages that the API server takes, whatever text they quote", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    recorder.tell(object, { reason: "Long", message: `${"x".repeat(1_023)}😀` });
    recorder.tell(object, { reason: "Odd", message: "a\ud800b\0c" });
    await recorder.flush();
    expect((await told(cluster)).toSorted()).toEqual([
      `1× Normal Long: ${"x".repeat(1_023)}`,
      "1× Normal Odd: a\ufffdb\ufffdc",
    ]);
  });

  test("with ever new words for the same reason are put together", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    for (let n = 0; n < 20; n++) recorder.tell(object, { reason: "Tried", message: `attempt ${n}` });
    await recorder.flush();
    const events = await told(cluster);
    expect(events).toHaveLength(11);
    expect(events).toContain("10× Normal Tried: (combined from similar events): attempt 19");
  });

  test("of an object that never stops are no longer heard, while those of others are", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    const other = await cluster.create(ConfigMap, { name: "b" });
    for (let n = 0; n < 100; n++) recorder.tell(object, { reason: `Reason${n}`, message: "again" });
    recorder.tell(other, { reason: "Fine", message: "here" });
    await recorder.flush();
    expect(await told(cluster)).toHaveLength(26);
    expect(recorder.dropped).toBe(75);
    await cluster.clock.advance(300_000);
    recorder.tell(object, { reason: "Later", message: "one more" });
    await recorder.flush();
    expect(await told(cluster)).toContain("1× Normal Later: one more");
  });

  test("stay limited after the wall clock was stepped back", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    recorder.tell(object, { reason: "First", message: "x" });
    cluster.clock.stepWall(-24 * 3_600_000);
    for (let n = 0; n < 99; n++) recorder.tell(object, { reason: `Reason${n}`, message: "again" });
    await recorder.flush();
    expect(recorder.dropped).toBe(75);
  });

  test("never fail who tells them, and start anew when somebody deleted them", async () => {
    await using cluster = await testCluster();
    const { recorder, object } = await setUp(cluster);
    cluster.faults.failNth(1, { kind: "refused" });
    recorder.tell(object, { reason: "Lost", message: "x" });
    recorder.tell(object, { reason: "Kept", message: "y" });
    await recorder.flush();
    expect(await told(cluster)).toEqual(["1× Normal Kept: y"]);
    const [event] = await cluster.list(Event);
    await cluster.delete(Event, event?.metadata.name ?? "");
    recorder.tell(object, { reason: "Kept", message: "y" });
    await recorder.flush();
    expect(await told(cluster)).toEqual(["1× Normal Kept: y"]);
  });
});
