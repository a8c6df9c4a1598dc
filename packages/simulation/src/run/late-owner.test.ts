import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { replay } from "../campaign/index.ts";
import type { Case } from "./index.ts";

const Note = kind({ group: "late.levelset.dev", version: "v1", kind: "Note", spec: s.object({}) });
const note = {
  apiVersion: "late.levelset.dev/v1",
  kind: "Note",
  metadata: { name: "a", namespace: "default" },
  spec: {},
};

/** Applies a ConfigMap in each run, without a read of its owner. */
const notes = () =>
  operator(Note, [
    step(Note, "Copy", {
      owns: [ConfigMap],
      do: async ({ object, client }) => {
        const metadata = { namespace: "default", name: "a", ownerReferences: [controllerReference(object)] };
        await client.apply(ConfigMap, { metadata, data: {} }, { force: true });
        return ok();
      },
    }),
  ]);

test("a child that is created while the cache still has its deleted owner is not replaced: it is garbage", async () => {
  const recorded: Case = {
    seed: 1,
    faults: [{ at: 1, kind: "watch", nth: 1, fault: { kind: "delay", ms: 3_000 } }],
    history: {
      operations: [
        { do: "create", object: note, afterMs: 60_000 },
        { do: "delete", id: { apiVersion: note.apiVersion, kind: note.kind, ...note.metadata }, afterMs: 60_000 },
      ],
    },
  };
  await expect(replay(notes, recorded, { samples: [note] })).resolves.toBeUndefined();
});
