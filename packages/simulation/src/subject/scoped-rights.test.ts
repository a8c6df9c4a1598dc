import { ConfigMap, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { Campaign } from "../campaign/index.ts";

const Note = kind({ group: "rights.levelset.dev", version: "v1", kind: "Note", spec: s.object({}) });
const note = {
  apiVersion: "rights.levelset.dev/v1",
  kind: "Note",
  metadata: { name: "a", namespace: "default" },
  spec: {},
};
const recorded = {
  seed: 1,
  faults: [],
  history: { operations: [{ do: "create", object: note, afterMs: 0 }] },
} as const;

test.for([
  ["default", undefined],
  ["other", "undeclared-right"],
])("a right in the namespace default allows a request in %s: %s", async ([namespace, rule]) => {
  const read = step(Note, "Read", {
    owns: [ConfigMap],
    do: async ({ client }) => {
      await client.list(ConfigMap, { namespace });
      return ok();
    },
  });
  const program = () => operator(Note, [read], { namespaces: ["default"] });
  const campaign = await Campaign.prepare(program, { samples: [note] });
  expect((await campaign.replay(recorded)).violation?.rule).toBe(rule);
});
