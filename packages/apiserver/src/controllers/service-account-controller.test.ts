import { ConfigMap, Namespace, ServiceAccount } from "@levelset/core";
import { expect, test } from "vitest";
import { ControllerHarness } from "./controller-harness.fixture.ts";

test("every namespace has the service account default, and it is recreated after deletion", async () => {
  using cluster = await ControllerHarness.start({ serviceAccounts: true });
  await cluster.create(Namespace, { metadata: { name: "n" } });
  await cluster.untilIdle();
  expect(cluster.actor.list(ServiceAccount).map(({ metadata }) => metadata.namespace)).toEqual([
    "default",
    "kube-node-lease",
    "kube-public",
    "kube-system",
    "n",
  ]);
  await cluster.delete(ServiceAccount, "default", {}, "n");
  await cluster.untilIdle();
  expect(cluster.names(ServiceAccount, "n")).toEqual(["default"]);
  await cluster.delete(Namespace, "n");
  await cluster.untilIdle();
  expect(cluster.names(ServiceAccount, "n")).toEqual([]);
});

test("a published CA certificate is in every namespace and replaces an earlier one", async () => {
  using cluster = await ControllerHarness.start({ serviceAccounts: true });
  await cluster.untilIdle();
  expect(cluster.names(ConfigMap)).toEqual([]);
  for (const ca of ["first", "second"]) {
    cluster.publishCa(ca);
    await cluster.untilIdle();
    expect(cluster.actor.list(ConfigMap).map(({ metadata, data }) => [metadata.name, data?.["ca.crt"]])).toEqual(
      Array.from({ length: 4 }, () => ["kube-root-ca.crt", ca]),
    );
  }
});

test("without the controller there are no service accounts", async () => {
  using cluster = await ControllerHarness.start();
  await cluster.untilIdle();
  expect(cluster.names(ServiceAccount)).toEqual([]);
});
