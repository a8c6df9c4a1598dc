import { InputError, kind, s } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import { seededRandom } from "@levelset/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawFaults } from "../fault/index.ts";
import { drawHistory } from "../history/index.ts";
import type { HistoryMaterial, Manifest } from "../history/index.ts";
import type { Case } from "../run/index.ts";
import { formatStoryFile, parseStoryFile } from "./story-file.ts";
import type { StoryFile } from "./story-file.ts";

const STORY: Omit<StoryFile, "case"> = {
  levelset: "0.1.0",
  file: "operator.ts",
  violation: { rule: "hot-loop", message: "It loops.", expected: "It rests." },
};

const Thing = kind({
  group: "case.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({
    size: s.int32().min(0).max(5),
    total: s.int64().optional(),
    share: s.number().optional(),
    text: s.string().optional(),
    items: s.array(s.object({ name: s.string(), isOn: s.boolean().optional() })).optional(),
    labels: s.map(s.string()).optional(),
  }),
});

function manifest(kindName: string, name: string, fields: object): Manifest {
  const apiVersion = kindName === "Thing" ? "case.levelset.dev/v1" : "v1";
  return { apiVersion, kind: kindName, metadata: { name, namespace: "default" }, ...fields };
}

const labelled = manifest("ConfigMap", "a", { data: { a: "1" } });
const material: HistoryMaterial = {
  samples: [
    {
      root: manifest("Thing", "a", { spec: { size: 1, total: 2, share: 0.5, text: "a", items: [{ name: "a" }] } }),
      inputs: [manifest("Secret", "s", { stringData: { a: "1" } }), manifest("Namespace", "n", {})],
    },
    {
      root: manifest("Thing", "b", { spec: { size: 2, labels: { a: "b" } } }),
      inputs: [],
      versions: [manifest("Thing", "b", { spec: { size: 3 } })],
    },
  ],
  kinds: [Thing],
  children: [{ ...labelled, metadata: { ...labelled.metadata, labels: { app: "a" } } }],
  otherNamespace: "other",
  hasLongNames: true,
};

function drawCase(seed: number): Case {
  const random = seededRandom(seed);
  const history = drawHistory(random, material);
  const requests = history.operations.map((_, index) => index % 4);
  const totalMs = history.operations.reduce((sum, { afterMs }) => sum + afterMs, 0);
  const faults = drawFaults(random, { writes: requests, reads: requests, hasExternal: seed % 2 === 0, totalMs });
  return { seed, history, faults };
}

test("every drawn case is read from a story file as it was written", () => {
  const property = fc.property(fc.nat(), (seed) => {
    // Compared as text: a drawn number beyond the safe integers is read as a bigint of the same JSON.
    const text = formatStoryFile({ ...STORY, case: drawCase(seed) });
    expect(formatStoryFile(parseStoryFile(text, "a.json"))).toBe(text);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("a case with the children and patches that its run has chosen is read as it was written", () => {
  const target = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
  const { namespace: _n, ...clusterWide } = { ...target, kind: "Namespace" };
  const recorded: Case = {
    seed: 1,
    faults: [],
    history: {
      operations: [
        { do: "edit-child", pick: 0, edit: "change-field", target, patch: { data: { a: "x" } }, afterMs: 0 },
        { do: "edit-child", pick: 0.9, edit: "annotate", target: clusterWide, afterMs: 0 },
        { do: "delete-child", pick: 0.5, target, afterMs: 0 },
      ],
    },
  };
  const story: StoryFile = { ...STORY, case: recorded };
  expect(parseStoryFile(formatStoryFile(story), "a.json")).toStrictEqual(story);
});

const operation = (fields: object): object => ({ seed: 1, faults: [], history: { operations: [fields] } });
const fault = (fields: object): object => ({ seed: 1, faults: [fields], history: { operations: [] } });
const request = (effect: object): object => fault({ kind: "request", at: 0, nth: 1, fault: effect });
const ID = { apiVersion: "v1", kind: "ConfigMap", name: "a" };
const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

const REFUSED: readonly (readonly [recorded: unknown, problem: string])[] = [
  [[], "case: not an object"],
  [{}, "case.seed: not a whole number from 0"],
  [{ seed: -1 }, "case.seed: not a whole number from 0"],
  [{ seed: 1 }, "case.history: not an object"],
  [{ seed: 1, history: {} }, "case.history.operations: not a list"],
  [{ seed: 1, history: { operations: [] } }, "case.faults: not a list"],
  [operation([]), "case.history.operations[0]: not an object"],
  [operation({}), "case.history.operations[0].do: missing"],
  [operation({ do: "explode" }), 'case.history.operations[0].do: unknown value "explode"'],
  [operation({ do: "toString" }), 'case.history.operations[0].do: unknown value "toString"'],
  [operation({ do: 2n ** 64n }), "case.history.operations[0].do: unknown value 18446744073709551616"],
  [operation({ do: "create", afterMs: 0 }), "case.history.operations[0].object: not an object"],
  [
    operation({ do: "create", object: { ...OBJECT, metadata: {} }, afterMs: 0 }),
    "case.history.operations[0].object.metadata.name: not a text",
  ],
  [
    operation({ do: "create", object: { ...OBJECT, metadata: { name: "a", namespace: 1 } }, afterMs: 0 }),
    "case.history.operations[0].object.metadata.namespace: not a text",
  ],
  [
    operation({ do: "change", object: OBJECT, how: "odd", afterMs: 0 }),
    'case.history.operations[0].how: unknown value "odd"',
  ],
  [
    operation({ do: "change", object: OBJECT, how: "valid", path: 7, afterMs: 0 }),
    "case.history.operations[0].path: not a text",
  ],
  [
    operation({ do: "delete", id: { ...ID, namespace: ["default"] }, afterMs: 0 }),
    "case.history.operations[0].id.namespace: not a text",
  ],
  [operation({ do: "delete-child", pick: 2, afterMs: 0 }), "case.history.operations[0].pick: not a number from 0 to 1"],
  [
    operation({ do: "delete-child", pick: 0, target: { ...ID, name: undefined }, afterMs: 0 }),
    "case.history.operations[0].target.name: not a text",
  ],
  [
    operation({ do: "edit-child", pick: 0, edit: "shake", afterMs: 0 }),
    'case.history.operations[0].edit: unknown value "shake"',
  ],
  [
    operation({ do: "edit-child", pick: 0, edit: "annotate", patch: [], afterMs: 0 }),
    "case.history.operations[0].patch: not an object",
  ],
  [operation({ do: "restart" }), "case.history.operations[0].afterMs: not a time from 0 to 2592000000 ms"],
  [operation({ do: "restart", afterMs: 1e15 }), "case.history.operations[0].afterMs: not a time from 0 to"],
  [operation({ do: "restart", afterMs: -1 }), "case.history.operations[0].afterMs: not a time from 0 to"],
  [operation({ do: "downtime", ms: 1e15, afterMs: 0 }), "case.history.operations[0].ms: not a time from 0 to"],
  [
    operation({ do: "step-clock", ms: -1e15, afterMs: 0 }),
    "case.history.operations[0].ms: not a time from -2592000000 to 2592000000 ms",
  ],
  [fault({ kind: "constructor" }), 'case.faults[0].kind: unknown value "constructor"'],
  [fault({ kind: "cut-watches" }), "case.faults[0].at: not a whole number from 0"],
  [fault({ kind: "crash", at: 0, nth: 1.5, downMs: 0 }), "case.faults[0].nth: not a whole number from 0"],
  [fault({ kind: "crash", at: 0, nth: 1, downMs: 1e15 }), "case.faults[0].downMs: not a time from 0 to"],
  [
    fault({ kind: "request", at: 0, nth: 1, on: "all", fault: { kind: "hang" } }),
    'case.faults[0].on: unknown value "all"',
  ],
  [fault({ kind: "request", at: 0, nth: 1 }), "case.faults[0].fault: not an object"],
  [request({}), "case.faults[0].fault.kind: missing"],
  [request({ kind: "bogus" }), 'case.faults[0].fault.kind: unknown value "bogus"'],
  [request({ kind: "cut" }), 'case.faults[0].fault.kind: unknown value "cut"'],
  [request({ kind: "delay" }), "case.faults[0].fault.ms: not a time from 0 to"],
  [request({ kind: "delay", ms: 1e15 }), "case.faults[0].fault.ms: not a time from 0 to"],
  [request({ kind: "status" }), "case.faults[0].fault.reason: missing"],
  [request({ kind: "status", reason: "Tired" }), 'case.faults[0].fault.reason: unknown value "Tired"'],
  [
    request({ kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1e9 }),
    "case.faults[0].fault.retryAfterSeconds: not a time from 0 to 2592000 s",
  ],
  [fault({ kind: "watch", at: 0, nth: 1, fault: { kind: "hang" } }), 'case.faults[0].fault.kind: unknown value "hang"'],
  [fault({ kind: "watch", at: 0, nth: 1, fault: { kind: "delay" } }), "case.faults[0].fault.ms: not a time from 0 to"],
  [fault({ kind: "cache-lag", at: 0 }), "case.faults[0].ms: not a time from 0 to"],
  [fault({ kind: "outage", at: 0, ms: "1" }), "case.faults[0].ms: not a time from 0 to"],
  [fault({ kind: "leader-change", at: 0, stallMs: -1 }), "case.faults[0].stallMs: not a time from 0 to"],
  [fault({ kind: "stale-restart", at: 0, back: -1 }), "case.faults[0].back: not a whole number from 0"],
  [fault({ kind: "external", at: 0, fault: "slow" }), 'case.faults[0].fault: unknown value "slow"'],
];

test.each(REFUSED.map(([recorded, problem]) => [problem, recorded] as const))(
  "a case is refused with the field that is not valid: %s",
  (problem, recorded) => {
    const text = stringifyJson({ version: 1, case: recorded as never, violation: STORY.violation as never });
    const read = (): unknown => parseStoryFile(text, "a.json");
    expect(read).toThrow(InputError);
    expect(read).toThrow(`a.json is not a story: ${problem}`);
  },
);
