import { replay } from "@levelset/simulation";
import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import serviceWithDb from "../../../examples/03-service-with-db/service-with-db.ts";

const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "shop-db", namespace: "default" },
  stringData: { password: "change-me" },
};
const service = (image: string) => ({
  apiVersion: "examples.levelset.dev/v1beta1",
  kind: "ServiceWithDB",
  metadata: { name: "shop", namespace: "default" },
  spec: { image, replicas: 3, passwordSecret: "shop-db" },
});
const samples = [secret, service("shop:1")];
const change = (image: string, afterMs: number) =>
  ({ do: "change", object: service(image), how: "valid", afterMs }) as const;

function story(operations: Case["history"]["operations"], faults: Case["faults"] = []): Case {
  const created = samples.map((object) => ({ do: "create", object, afterMs: 60_000 }) as const);
  return { seed: 1, faults, history: { operations: [...created, ...operations] } };
}

test("a migration whose image does not exist does not block the return to the image before it", async () => {
  const recorded = story([change("shop:does-not-exist", 60_000), change("shop:1", 60_000)]);
  await expect(replay(serviceWithDb, recorded, { samples })).resolves.toBeUndefined();
});

test("a migration that is wanted again before another one has started need not run again", async () => {
  const late = { at: 2, kind: "cache-lag", ms: 2_000 } as const;
  const recorded = story([change("shop:2", 0), change("shop:1", 60_000)], [late]);
  await expect(replay(serviceWithDb, recorded, { samples })).resolves.toBeUndefined();
});

test("a migration that a person deletes after it completed need not run again", async () => {
  const target = { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "shop-migrate" };
  const recorded = story([{ do: "delete-child", pick: 0, afterMs: 60_000, target }]);
  await expect(replay(serviceWithDb, recorded, { samples })).resolves.toBeUndefined();
});
