import { ConfigMap, ELSEWHERE_ANNOTATION, Job, kind, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "../step/index.ts";
import { child, job, jobRecord } from "./index.ts";

const Thing = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({}),
  status: s.object({ checked: jobRecord.optional() }),
});

const ELSEWHERE = { [ELSEWHERE_ANNOTATION]: "true" };

test("children of an object that lives elsewhere carry a mark, no owner reference, and go before it does", async () => {
  await using cluster = await testCluster({ kinds: [Thing] });
  cluster.run(
    operator(Thing, [
      child(Thing, "Settings", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name }, data: { a: "1" } }) }),
      job(Thing, "Check", {
        remember: "checked",
        desired: ({ name }) => ({
          metadata: { name },
          spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "c" }] } } },
        }),
      }),
      step(Thing, "Clean", { cleanup: () => ok() }),
    ]),
  );
  const thing = await cluster.create(Thing, { name: "a", annotations: ELSEWHERE, spec: {} });
  await cluster.rest();
  const settings = await cluster.get(ConfigMap, "a");
  expect(settings?.metadata.ownerReferences).toBeUndefined();
  expect(settings?.metadata.labels).toEqual({ "levelset.dev/owner-uid": thing.metadata.uid });
  expect(await cluster.list(Job)).toHaveLength(1);
  await cluster.patch(ConfigMap, "a", { metadata: { finalizers: ["test/hold"] } });
  await cluster.delete(Thing, "a");
  await cluster.rest();
  expect(await cluster.list(Job)).toEqual([]);
  expect((await cluster.get(Thing, "a"))?.metadata.deletionTimestamp).toBeDefined();
  await cluster.patch(ConfigMap, "a", { metadata: { finalizers: [] } });
  await cluster.gone(Thing, "a");
  expect(await cluster.get(ConfigMap, "a")).toBeUndefined();
});
