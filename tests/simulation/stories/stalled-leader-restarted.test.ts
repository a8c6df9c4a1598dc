import { replay } from "@levelset/simulation";
import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import archive from "../../../examples/guide/archive.ts";

const archived = (image: string) => ({
  apiVersion: "examples.levelset.dev/v1beta1",
  kind: "Archive",
  metadata: { name: "a", namespace: "default" },
  spec: { image },
});
const recorded: Case = {
  seed: 282,
  history: {
    operations: [
      { do: "create", object: archived("default"), afterMs: 60_000 },
      { do: "change", object: archived("next"), how: "valid", afterMs: 60_000 },
      { do: "restart", afterMs: 60_000 },
    ],
  },
  faults: [
    { at: 1, kind: "leader-change", stallMs: 700_000 },
    { at: 1, kind: "request", nth: 3, on: "lease", fault: { kind: "hang" } },
  ],
};

test("a leader that is stopped while it stalls need not end by itself", async () => {
  await expect(replay(archive, recorded, { samples: [archived("default")] })).resolves.toBeUndefined();
});
