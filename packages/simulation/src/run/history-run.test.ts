import { ConfigMap, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import type { PlannedFault } from "../fault/index.ts";
import type { Manifest, Operation } from "../history/index.ts";
import { prepareSubject } from "../subject/index.ts";
import { runHistory } from "./run-history.ts";
import type { RunResult } from "./run-options.ts";

const Note = kind({ group: "run.levelset.dev", version: "v1", kind: "Note", spec: s.object({ text: s.string() }) });
const note = (text: string): Manifest => ({
  apiVersion: "run.levelset.dev/v1",
  kind: "Note",
  metadata: { name: "a", namespace: "default" },
  spec: { text },
});
const content = child(Note, "Content", {
  kind: ConfigMap,
  desired: ({ name, spec }) => ({ metadata: { name }, data: { text: spec.text } }),
});
/** Needs a finalizer, whose removal is a write during the deletion. */
const release = step(Note, "Release", { do: () => ok(), cleanup: () => ok() });

const CREATE: Operation = { do: "create", object: note("one"), afterMs: 60_000 };

async function run(operations: readonly Operation[], faults: readonly PlannedFault[]): Promise<RunResult> {
  const subject = await prepareSubject(() => operator(Note, [content, release]));
  const properties = { always: {}, eventually: {} };
  return runHistory({ subject, history: { operations }, faults, seed: 1, mode: "faults", properties });
}

function processEvents({ events }: RunResult): readonly number[] {
  return events.filter(({ kind: each }) => each === "process").map(({ atMs }) => atMs);
}

test("a process crashes while it recovers from a crash", async () => {
  const faults: readonly PlannedFault[] = [
    { at: 0, kind: "crash", nth: 1, downMs: 0 },
    { at: 0, kind: "crash", nth: 2, downMs: 30_000 },
  ];
  const result = await run([CREATE], faults);
  expect(result.fired).toEqual(faults);
  // Each crash is noticed at the end of a quarter of the minute. The second one has its own downtime.
  expect(processEvents(result)).toEqual([15_000, 60_000]);
  expect(result.violations).toEqual([]);
});

test("a fault of a restart hits the new process", async () => {
  const crash: PlannedFault = { at: 2, kind: "crash", nth: 1, downMs: 0 };
  const change: Operation = { do: "change", object: note("two"), how: "changed", afterMs: 0 };
  const operations: readonly Operation[] = [
    CREATE,
    { do: "downtime", ms: 0, afterMs: 0 },
    { do: "restart", afterMs: 0 },
    { ...change, afterMs: 60_000 },
  ];
  const result = await run(operations, [crash]);
  expect(result.fired).toEqual([crash]);
  expect(result.rest.roots.get("Note.run.levelset.dev default/a")).toBe(true);
});

test("faults in the final deletion last a minute", async () => {
  const crash: PlannedFault = { at: 1, kind: "crash", nth: 1, downMs: 30_000 };
  const result = await run([CREATE], [crash]);
  expect(result.fired).toEqual([crash]);
  const deletedAtMs = result.events.find(({ text }) => text.startsWith("a user deletes"))?.atMs ?? Number.NaN;
  expect(processEvents(result).map((atMs) => atMs - deletedAtMs)).toEqual([45_000]);
});

test("a fault that finds no request has not occurred", async () => {
  const result = await run([CREATE], [{ at: 0, kind: "request", nth: 99, on: "read", fault: { kind: "refused" } }]);
  expect(result.fired).toEqual([]);
});
