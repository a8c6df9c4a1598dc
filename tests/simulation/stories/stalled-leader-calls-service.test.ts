import { replay } from "@levelset/simulation";
import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import { stores } from "../../../examples/guide/bucket.ts";
import { Buckets } from "../examples/buckets.ts";

const store = (gigabytes: number) => ({
  apiVersion: "examples.levelset.dev/v1beta1",
  kind: "Store",
  metadata: { name: "a", namespace: "default" },
  spec: { gigabytes },
});
const { apiVersion, kind, metadata } = store(1);
const recorded: Case = {
  seed: 400,
  history: {
    operations: [
      { do: "create", object: store(5), afterMs: 60_000 },
      { do: "change", object: store(1), how: "valid", afterMs: 60_000 },
      { do: "delete", id: { apiVersion, kind, ...metadata }, afterMs: 60_000 },
    ],
  },
  faults: [{ at: 1, kind: "leader-change", stallMs: 700_000 }],
};

test("a leader that stalls until after its lease creates no bucket of an object that the next one has deleted", async () => {
  const program = () => {
    const external = new Buckets();
    return { start: () => stores(external), external };
  };
  await expect(replay(program, recorded, { samples: [store(5)] })).resolves.toBeUndefined();
});
