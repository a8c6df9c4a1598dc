import { ConfigMap, Deployment, Job, kind, s } from "@levelset/core";
import { REMOTE_OWNER_ANNOTATION } from "@levelset/core/internal";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { ok, step } from "../../engine/index.ts";
import { child, job, jobRecord, workload } from "../index.ts";

const Thing = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({}),
  status: s.object({ checked: jobRecord.optional() }),
});

const HELD = "test.levelset.dev/thing-child";
const ELSEWHERE = { [REMOTE_OWNER_ANNOTATION]: "true" };

test("children of a remote owner have an annotation, no owner reference, and are deleted before it", async () => {
  await using cluster = await testCluster({ kinds: [Thing] });
  cluster.run(
    operator(Thing, [
      child(Thing, "Settings", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name }, data: { a: "1" } }) }),
      job(Thing, "Check", {
        statusField: "checked",
        desired: ({ name }) => ({
          metadata: { name },
          spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "c" }] } } },
        }),
      }),
      step(Thing, "Clean", { cleanup: () => ok() }),
    ]),
  );
  const thing = await cluster.create(Thing, { name: "a", annotations: ELSEWHERE, spec: {} });
  await cluster.untilIdle();
  const settings = await cluster.get(ConfigMap, "a");
  expect(settings?.metadata.ownerReferences).toBeUndefined();
  expect(settings?.metadata.labels).toEqual({ "levelset.dev/owner-uid": thing.metadata.uid });
  expect(await cluster.list(Job)).toHaveLength(1);
  await cluster.patch(ConfigMap, "a", { metadata: { finalizers: ["test/hold"] } });
  await cluster.delete(Thing, "a");
  await cluster.untilIdle();
  expect(await cluster.list(Job)).toEqual([]);
  expect((await cluster.get(Thing, "a"))?.metadata.deletionTimestamp).toBeDefined();
  await cluster.patch(ConfigMap, "a", { metadata: { finalizers: [] } });
  await cluster.untilDeleted(Thing, "a");
  expect(await cluster.get(ConfigMap, "a")).toBeUndefined();
});

test("protected children of a remote owner are held, and released when it is deleted", async () => {
  await using cluster = await testCluster({ kinds: [Thing] });
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "c" }] } };
  const spec = { replicas: 0, selector: { matchLabels: { a: "b" } }, template };
  cluster.run(
    operator(Thing, [
      job(Thing, "Check", {
        statusField: "checked",
        protect: true,
        desired: ({ name }) => ({
          metadata: { name },
          spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } },
        }),
      }),
      workload(Thing, "Server", {
        kind: Deployment,
        protect: true,
        desired: ({ name }) => ({ metadata: { name }, spec }),
      }),
    ]),
  );
  await cluster.create(Thing, { name: "a", annotations: ELSEWHERE, spec: {} });
  await cluster.untilIdle();
  const done = { type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" };
  const criteria = { ...done, type: "SuccessCriteriaMet" };
  const times = { startTime: done.lastTransitionTime, completionTime: done.lastTransitionTime };
  await cluster.patchStatus(Job, "a", { conditions: [criteria, done], succeeded: 1, ...times });
  await cluster.untilIdle();
  await cluster.delete(Job, "a");
  await cluster.delete(Deployment, "a");
  await cluster.untilIdle();
  const held = [await cluster.get(Job, "a"), await cluster.get(Deployment, "a")];
  expect(held.map((each) => each?.metadata.finalizers)).toEqual([[HELD], [HELD]]);
  expect(held.map((each) => each?.metadata.ownerReferences)).toEqual([undefined, undefined]);
  await cluster.delete(Thing, "a");
  await cluster.untilDeleted(Thing, "a");
  expect([await cluster.list(Job), await cluster.list(Deployment)]).toEqual([[], []]);
});
