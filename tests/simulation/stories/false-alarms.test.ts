import { replay } from "@levelset/simulation";
import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import { operands } from "../operand/operand-campaign.ts";

type Operation = Case["history"]["operations"][number];

// Stories of correct programs that the simulation reported.

const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "x" }, data: { v: "1" } };

function operand(name: string): Extract<Operation, { readonly do: "create" }>["object"] {
  const apiVersion = "operand.levelset.dev/v1alpha1";
  return { apiVersion, kind: "Operand", metadata: { name }, spec: { steadyState: [object] } };
}

const create = (name: string): Operation => ({ do: "create", object: operand(name), afterMs: 60_000 });
const remove = (name: string): Operation => {
  const { apiVersion, kind, metadata } = operand(name);
  return { do: "delete", id: { apiVersion, kind, ...metadata }, afterMs: 60_000 };
};

const STORIES: Readonly<Record<string, readonly Operation[]>> = {
  "an object of a user that an Operand adopts, deletes and creates again": [
    { do: "create-foreign", object, afterMs: 60_000 },
    create("a"),
    remove("a"),
    create("a"),
  ],
  "a wall clock that steps back": [create("a"), { do: "step-clock", ms: -3_600_000, afterMs: 0 }],
};

test.each(Object.entries(STORIES))("%s is no violation", async (_, operations) => {
  const recorded = { seed: 1, faults: [], history: { operations } };
  await expect(replay(operands, recorded, { samples: [operand("a")] })).resolves.toBeUndefined();
});
