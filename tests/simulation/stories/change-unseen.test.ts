import { replay } from "@levelset/simulation";
import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import { OPERAND_OPTIONS, operands } from "../operand/operand-campaign.ts";

const operand = (value: string) => ({
  apiVersion: "operand.levelset.dev/v1alpha1",
  kind: "Operand",
  metadata: { name: "a" },
  spec: {
    steadyState: [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: value, namespace: "default" }, data: { value } },
    ],
  },
});
const change = (value: string) => ({ do: "change", object: operand(value), how: "version", afterMs: 0 }) as const;

/** The watch is late, so the process is stopped before it sees the changes. */
const UNSEEN: Case = {
  seed: 1,
  history: {
    operations: [
      { do: "create", object: operand("one"), afterMs: 60_000 },
      change("two"),
      change("one"),
      { do: "downtime", ms: 90_000_000, afterMs: 60_000 },
    ],
  },
  faults: [{ at: 1, kind: "cache-lag", ms: 20_000 }],
};

test("an Operand that returns to its baseline unseen is unchecked, and then ready again", async () => {
  await expect(replay(operands, UNSEEN, OPERAND_OPTIONS)).resolves.toBeUndefined();
});
