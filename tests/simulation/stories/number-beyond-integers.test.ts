import { replay } from "@levelset/simulation";
import { expect, test } from "vitest";
import { shares } from "../../../examples/guide/generic-step.ts";

const share = (total: number | bigint) => ({
  apiVersion: "examples.levelset.dev/v1beta1",
  kind: "Share",
  metadata: { name: "a", namespace: "default" },
  spec: { divisor: 2, total },
});

test("a step may calculate with a number that no integer of JavaScript can hold", async () => {
  const operations = [{ do: "create", object: share(9_007_199_254_740_993n), afterMs: 60_000 }] as const;
  const recorded = { seed: 1, faults: [], history: { operations } };
  await expect(replay(shares, recorded, { samples: [share(4)] })).resolves.toBeUndefined();
});
