import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import stores from "./bucket-simulation.ts";
import fixed from "./vault-fixed.ts";
import vaults, { Vault } from "./vault.ts";

test("stores survive ten histories", async () => {
  const { neverReady } = await simulate(stores, { seeds: 10 });
  expect(neverReady).toEqual([]);
});

const samples = [
  { apiVersion: "examples.levelset.dev/v1", kind: "Vault", metadata: { name: "first" }, spec: { value: "a" } },
];

test("the simulation of a vault finds that a deleted child is not restored", async () => {
  await expect(simulate(vaults, { samples, seeds: 200 })).rejects.toThrow(
    /path-changes-the-end[^]*a person deletes the child ConfigMap default\/first/u,
  );
});

test("the fixed vault survives ten histories, and its properties hold", async () => {
  const { histories } = await simulate(fixed, {
    samples,
    seeds: 10,
    eventually: {
      "status shows what is applied": (world) => world.list(Vault).every(({ status }) => status?.applied !== undefined),
    },
  });
  expect(histories).toBe(10);
});
