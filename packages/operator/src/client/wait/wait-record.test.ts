import { kind, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client } from "../index.ts";

/** The group and kind of the revisions of Operands, which only record a state. */
const Revision = kind({
  group: "operand.levelset.dev",
  version: "v1alpha1",
  kind: "OperandRevision",
  spec: s.object({}),
});

test("a wait for a revision of an Operand ends at once, because no controller writes its status", async () => {
  await using cluster = await testCluster({ kinds: [Revision] });
  await cluster.create(Revision, { name: "a", spec: {} });
  const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
  const key = { namespace: "default", name: "a" };
  let end: unknown;
  client.waitUntilReady(Revision, key).then(
    (object) => (end = object),
    (error: unknown) => (end = error),
  );
  await cluster.untilIdle();
  expect(end).toMatchObject({ metadata: { name: "a" } });
});
