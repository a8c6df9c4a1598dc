import { expect, test } from "vitest";
import { formatStoryFile, parseStoryFile } from "./story-file.ts";
import type { StoryFile } from "./story-file.ts";

const note = { apiVersion: "a.dev/v1", kind: "Note", metadata: { name: "a" }, spec: { size: 9_007_199_254_740_993n } };
const story: StoryFile = {
  levelset: "0.1.0",
  file: "src/operator.ts",
  samples: ["config/sample.yaml"],
  ignore: ["hot-loop"],
  violation: {
    rule: "path-changes-the-end",
    message: "It differs.",
    expected: "It is equal.",
    object: "Note default/a",
    differences: [{ object: "Note default/a", path: "status.x", expected: "1", actual: undefined }],
  },
  case: {
    seed: 12,
    history: {
      operations: [
        { do: "create", object: note, afterMs: 60_000 },
        { do: "delete-child", pick: 0.5, afterMs: 0 },
        { do: "downtime", ms: 1_000, afterMs: 0 },
        { do: "step-clock", ms: -60_000, afterMs: 0 },
      ],
    },
    faults: [
      { kind: "crash", at: 0, nth: 2, downMs: 0 },
      { kind: "request", at: 1, nth: 1, fault: { kind: "hang" } },
      { kind: "request", at: 1, nth: 1, on: "read", fault: { kind: "hang" } },
    ],
  },
  why: ["Note default/a  Ready"],
  events: [
    { atMs: 0, kind: "operation", text: "a user creates Note default/a" },
    { atMs: 60_000.5, kind: "status", text: "Note default/a is Ready" },
  ],
};

/** An integer that JavaScript reads as a bigint. */
const HUGE = "99999999999999999999";

function changed(change: (fields: Record<string, unknown>) => void): string {
  const fields = JSON.parse(
    formatStoryFile({ ...story, case: { ...story.case, history: { operations: [] } } }),
  ) as Record<string, unknown>;
  change(fields);
  return JSON.stringify(fields);
}

test("a story file is read as it was written, with integers of any size", () => {
  expect(parseStoryFile(formatStoryFile(story), "a.json")).toEqual(story);
});

test("a story file of an earlier version is read without events, samples and ignored rules", () => {
  const { events: _e, samples: _s, ignore: _i, why: _w, ...earlier } = story;
  expect(parseStoryFile(formatStoryFile(earlier), "a.json")).toEqual(earlier);
});

test.each([
  ["x", "a.json is not JSON"],
  ["[]", "a.json is not a story: not an object"],
  ["{}", "a.json is not a story: version is missing"],
  ['{"version":2}', "a.json has version 2 of the story format; this levelset reads 1"],
  [changed((fields) => delete fields["case"]), "a.json is not a story: case: not an object"],
  [
    changed((fields) => (fields["violation"] = { rule: "toString" })),
    'a.json is not a story: violation.rule: unknown rule "toString"',
  ],
  [
    changed((fields) => (fields["violation"] = {})).replace('"violation":{}', `"violation":{"rule":${HUGE}}`),
    "a.json is not a story: violation.rule: not a text",
  ],
  [
    changed((fields) => (fields["violation"] = { ...story.violation, expected: 7 })),
    "a.json is not a story: violation.expected: not a text",
  ],
  [
    changed((fields) => (fields["violation"] = { ...story.violation, differences: [{ object: "Note a", path: [] }] })),
    "a.json is not a story: violation.differences[0].path: not a text",
  ],
  [changed((fields) => (fields["why"] = [1])), "a.json is not a story: why: not a list of lines"],
  [changed((fields) => (fields["events"] = "none")), "a.json is not a story: events: not a list"],
  [
    changed((fields) => (fields["events"] = [...(story.events ?? []), { atMs: "soon", kind: "write", text: "" }])),
    "a.json is not a story: events[2].atMs: not a time in milliseconds",
  ],
  [
    changed((fields) => (fields["events"] = [{ atMs: 0, kind: "valueOf", text: "" }])),
    'a.json is not a story: events[0].kind: unknown value "valueOf"',
  ],
  [
    changed((fields) => (fields["events"] = [])).replace('"events":[]', `"events":[{"atMs":0,"kind":${HUGE}}]`),
    `a.json is not a story: events[0].kind: unknown value ${HUGE}`,
  ],
  [
    changed((fields) => (fields["events"] = [{ atMs: 0, kind: "write", text: null }])),
    "a.json is not a story: events[0].text: not a text",
  ],
  [changed((fields) => (fields["samples"] = [7])), "a.json is not a story: samples: not a list of files"],
  [changed((fields) => (fields["ignore"] = ["everything"])), "a.json is not a story: ignore: not a list of rules"],
])("%s is refused", (text, message) => {
  expect(() => parseStoryFile(text, "a.json")).toThrow(message);
});
