import { Secret } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { Client, WaitError } from "@levelset/operator";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Shop, shops } from "./shop.ts";
import { changePassword } from "./wait-for-change.ts";

async function openShop(cluster: TestCluster): Promise<Client> {
  cluster.run(shops);
  await cluster.apply(Secret, { name: "door", stringData: { password: "open" } });
  await cluster.apply(Shop, { name: "a", spec: { passwordSecret: "door" } });
  await cluster.untilSettled(Shop, "a");
  const { clock, fetch } = cluster;
  return new Client({ fetch, fieldManager: "example", retry: { clock, random: seededRandom(1) } });
}

const key = { namespace: "default", name: "a" };

test("waits until the change is live, even if the previous generation is ready", async () => {
  await using cluster = await testCluster();
  const client = await openShop(cluster);
  const lines: string[] = [];
  const changed = changePassword(client, key, "gate", (line) => lines.push(line));
  await cluster.untilSettled(Shop, "a");
  await cluster.apply(Secret, { name: "gate", stringData: { password: "closed" } });
  await cluster.untilSettled(Shop, "a");
  expect((await changed).status?.observedGeneration).toBe(2);
  expect(lines.at(-1)).toBe("Progressing: the secret does not exist yet");
});

test("rejects with the last state if the change never becomes live", async () => {
  await using cluster = await testCluster();
  const client = await openShop(cluster);
  const changed = changePassword(client, key, "gate", () => {}).catch((error: unknown) => error);
  await cluster.clock.advance(300_000);
  expect(await changed).toBeInstanceOf(WaitError);
  expect(await changed).toMatchObject({ reason: "Timeout", progress: { message: "the secret does not exist yet" } });
});
