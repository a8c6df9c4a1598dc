import { ConfigMap, kind, s } from "@levelset/core";
import { child, operandManager, operator } from "@levelset/operator";
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

test("an object that an Operand keeps is a leftover once the Operand is gone, and not before", async () => {
  const subject = await prepareSubject(operandManager);
  const { now, workloads } = subject;
  const program = subject.open();
  const cluster = new SimulatedCluster({ store: subject.store.fork(), program, seed: 1, now, workloads, replicas: 1 });
  cluster.start();
  const user = new UserClient(cluster.fetch, subject.pluralOf);
  const id = { apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", name: "set" };
  const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" }, data: {} };
  const spec = { deletionPolicy: "Orphan", prune: { mode: "Disabled" }, steadyState: [config] };
  await user.create({ apiVersion: id.apiVersion, kind: id.kind, metadata: { name: id.name }, spec });
  await cluster.advance(60_000);
  const leftovers = () =>
    cluster.journal
      .children()
      .filter((record) => cluster.journal.isLeftover(record))
      .map(describeRecord);
  expect(cluster.journal.children().map(describeRecord)).toContain("ConfigMap default/a");
  expect(leftovers()).toEqual([]);
  await user.delete(id);
  await cluster.advance(60_000);
  expect(leftovers()).toEqual(["ConfigMap default/a"]);
  await cluster.close();
});
