import { Secret, StatefulSet } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import archives, { Archive } from "./archive.ts";

test("an archive waits for exactly one Secret with its label and protects its server from deletion", async () => {
  await using cluster = await testCluster({ workloads: true });
  cluster.run(archives);
  await cluster.apply(Archive, { name: "a", spec: { image: "archive:1" } });
  expect(await cluster.untilSettled(Archive, "a")).toHaveCondition("PasswordReady", "False", {
    severity: "Warning",
    message: "no secret with the labels examples.levelset.dev/archive=a exists",
  });
  const labels = { "examples.levelset.dev/archive": "a" };
  for (const name of ["first", "second"]) await cluster.apply(Secret, { name, labels, stringData: { password: "p" } });
  expect(await cluster.untilSettled(Archive, "a")).toHaveCondition("PasswordReady", "False", {
    severity: "Warning",
    reason: "Ambiguous",
    message:
      "2 secrets have the labels examples.levelset.dev/archive=a, but one is needed: secret/first, secret/second",
  });
  await cluster.delete(Secret, "second");
  await cluster.clock.advance(30_000);
  expect(await cluster.untilSettled(Archive, "a")).toBeReady();

  await cluster.delete(StatefulSet, "a");
  expect(await cluster.untilSettled(Archive, "a")).toHaveCondition("ServerReady", "False", { reason: "ChildDeleted" });
  expect(await cluster.get(StatefulSet, "a")).toBeDefined();

  await cluster.delete(Archive, "a");
  await cluster.clock.advance(30_000);
  await cluster.untilDeleted(Archive, "a");
  await cluster.untilDeleted(StatefulSet, "a");
});
