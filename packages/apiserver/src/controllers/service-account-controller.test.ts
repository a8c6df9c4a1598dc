import { ConfigMap, Namespace, ServiceAccount } from "@levelset/core";
import { expect, test } from "vitest";
import { Cluster } from "./cluster.fixture.ts";

test("every namespace has the service account default, also after somebody deleted it", async () => {
  using cluster = await Cluster.start({ serviceAccounts: true });
  await cluster.create(Namespace, { metadata: { name: "n" } });
  await cluster.rest();
  expect(cluster.actor.list(ServiceAccount).map(({ metadata }) => metadata.namespace)).toEqual([
    "default",
    "kube-node-lease",
    "kube-public",
    "kube-system",
    "n",
  ]);
  await cluster.delete(ServiceAccount, "default", {}, "n");
  await cluster.rest();
  expect(cluster.names(ServiceAccount, "n")).toEqual(["default"]);
  await cluster.delete(Namespace, "n");
  await cluster.rest();
  expect(cluster.names(ServiceAccount, "n")).toEqual([]);
});

test("a published certificate authority is in every namespace, and replaces an earlier one", async () => {
  using cluster = await Cluster.start({ serviceAccounts: true });
  await cluster.rest();
  expect(cluster.names(ConfigMap)).toEqual([]);
  for (const ca of ["first", "second"]) {
    cluster.publishCa(ca);
    await cluster.rest();
    expect(cluster.actor.list(ConfigMap).map(({ metadata, data }) => [metadata.name, data?.["ca.crt"]])).toEqual(
      Array.from({ length: 4 }, () => ["kube-root-ca.crt", ca]),
    );
  }
});

test("without the controller there are no service accounts", async () => {
  using cluster = await Cluster.start();
  await cluster.rest();
  expect(cluster.names(ServiceAccount)).toEqual([]);
});
