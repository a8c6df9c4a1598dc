import { ConfigMap, kind, s } from "@levelset/core";
import { child, operator } from "@levelset/operator";
import { expect, test } from "vitest";
import { prepareSubject } from "../subject/index.ts";
import { SimulatedCluster } from "./simulated-cluster.ts";
import { describeRecord } from "./snapshot.ts";
import { UserClient } from "./user-client.ts";

test.each(["Cache", "Leader", "Events", "Crds"])("the operator of a kind named %s has children", async (name) => {
  const Custom = kind({
    group: "journal.levelset.dev",
    version: "v1",
    kind: name,
    plural: "customs",
    spec: s.object({}),
  });
  const copy = child(Custom, "Copy", { kind: ConfigMap, desired: (req) => ({ metadata: { name: req.name } }) });
  const subject = await prepareSubject(() => operator(Custom, [copy]));
  const { now, workloads } = subject;
  const program = subject.open();
  const cluster = new SimulatedCluster({ store: subject.store.fork(), program, seed: 1, now, workloads, replicas: 2 });
  cluster.start();
  const metadata = { name: "a", namespace: "default" };
  const user = new UserClient(cluster.fetch, subject.pluralOf);
  const created = await user.create({ apiVersion: "journal.levelset.dev/v1", kind: name, metadata, spec: {} });
  if (created.kind === "written") cluster.journal.claimForUser(created.object.metadata.uid);
  await cluster.advance(10_000);
  expect(cluster.journal.children().map(describeRecord)).toEqual(["ConfigMap default/a"]);
  await cluster.close();
});
