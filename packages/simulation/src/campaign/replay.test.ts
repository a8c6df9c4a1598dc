import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Operator } from "@levelset/operator";
import { expect, test } from "vitest";
import type { Case } from "../run/index.ts";
import { replay } from "./replay.ts";
import { simulate, SimulationError } from "./simulate.ts";
import { simulation } from "./simulation.ts";

const Note = kind({
  group: "replay.levelset.dev",
  version: "v1",
  kind: "Note",
  spec: s.object({ text: s.string() }),
  status: s.object({ text: s.string().optional() }),
});
const note = {
  apiVersion: "replay.levelset.dev/v1",
  kind: "Note",
  metadata: { name: "a", namespace: "default" },
  spec: { text: "one" },
};

/** An operator that shows the first text that its process has seen. */
function stale(): Operator<typeof Note> {
  const seen = new Map<string, string>();
  const show = step(Note, "Show", {
    do: ({ object, spec, status }) => {
      status.text = seen.get(object.metadata.uid) ?? spec.text;
      seen.set(object.metadata.uid, status.text);
      return ok();
    },
  });
  return operator(Note, [show]);
}

function correct(): Operator<typeof Note> {
  const show = step(Note, "Show", {
    do: ({ spec, status }) => {
      status.text = spec.text;
      return ok();
    },
  });
  return operator(Note, [show]);
}

const recorded: Case = {
  seed: 1,
  faults: [],
  history: {
    operations: [
      { do: "create", object: note, afterMs: 60_000 },
      { do: "change", object: { ...note, spec: { text: "two" } }, how: "changed", afterMs: 60_000 },
    ],
  },
};

test("a replay rejects with the story while the rule is violated, and resolves when it is fixed", async () => {
  await expect(replay(stale, recorded, { samples: [note] })).rejects.toThrow(SimulationError);
  await expect(replay(stale, recorded, { samples: [note] })).rejects.toThrow(
    /path-changes-the-end.*seed 1\n[^]*status\.text/u,
  );
  await expect(replay(correct, recorded, { samples: [note] })).resolves.toBeUndefined();
});

test("a declaration has the options of its simulation, and others can be added", async () => {
  const never = simulation(correct, {
    samples: [note],
    eventually: { "no note": (world) => world.list(Note).length === 0 },
  });
  await expect(simulate(never, { seeds: 1 })).rejects.toThrow(/property-violated/u);
  const ignored = await simulate(never, { seeds: 1, ignore: ["property-violated"] });
  expect(ignored).toMatchObject({ histories: 1, neverReady: [] });
});
