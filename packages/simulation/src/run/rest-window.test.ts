import { Lease, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import type { Manifest } from "../history/index.ts";
import { prepareSubject } from "../subject/index.ts";
import { SimulatedCluster, UserClient } from "../world/index.ts";
import { RestRecorder } from "./rest-window.ts";

const metadata = { name: "a", namespace: "default" };

/** Reports whether the creation of an object is work at rest. */
async function isWork(object: Manifest, plural: string): Promise<boolean> {
  const Custom = kind({ group: "rest.levelset.dev", version: "v1", kind: "Custom", plural, spec: s.object({}) });
  const subject = await prepareSubject(() => operator(Custom, [step(Custom, "Nothing", { do: () => ok() })]));
  const { now, workloads } = subject;
  const program = subject.open();
  const cluster = new SimulatedCluster({ store: subject.store.fork(), program, seed: 1, now, workloads, replicas: 1 });
  const recorder = new RestRecorder(cluster, subject);
  const written = await new UserClient(cluster.fetch, subject.pluralOf).create(object);
  await cluster.untilIdle();
  const { isAtWork } = recorder.end();
  await cluster.close();
  expect(written.kind).toBe("written");
  return isAtWork;
}

test.each(["events", "leases"])("an object of a custom kind with the plural %s is no bookkeeping", async (plural) => {
  expect(await isWork({ apiVersion: "rest.levelset.dev/v1", kind: "Custom", metadata, spec: {} }, plural)).toBe(true);
});

test("a Lease is bookkeeping", async () => {
  expect(await isWork({ apiVersion: "coordination.k8s.io/v1", kind: Lease.kind, metadata }, "customs")).toBe(false);
});
