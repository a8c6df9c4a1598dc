import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import { readOnlyFetch } from "./read-only-fetch.ts";

test("only GET requests are sent", async () => {
  await using cluster = await testCluster();
  const sent: string[] = [];
  const fetch = readOnlyFetch((request) => {
    sent.push(request.method);
    return cluster.fetch(request);
  });
  const client = new Client({ fetch, fieldManager: "test" });
  const key = { namespace: "default", name: "a" };
  await cluster.create(ConfigMap, { name: "a" });
  const found = await client.get(ConfigMap, key);
  const refused = /refused: a plan only reads from the cluster/u;
  await expect(client.create(ConfigMap, { metadata: { ...key, name: "b" } })).rejects.toThrow(refused);
  await expect(client.update(ConfigMap, found)).rejects.toThrow(refused);
  await expect(client.mergePatch(ConfigMap, key, { data: { a: "b" } })).rejects.toThrow(refused);
  await expect(client.apply(ConfigMap, { metadata: key }, { dryRun: true })).rejects.toThrow(refused);
  await expect(client.delete(ConfigMap, key)).rejects.toThrow(refused);
  await expect(client.post(ConfigMap, key, "token", {})).rejects.toThrow(refused);
  expect(sent).toEqual(["GET"]);
  expect((await client.list(ConfigMap)).items).toEqual([found]);
});
