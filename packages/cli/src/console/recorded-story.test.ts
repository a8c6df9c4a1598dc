import type { StoryFile } from "@levelset/simulation/internal";
import { expect, test } from "vitest";
import { recordedStory, storyRow } from "./recorded-story.ts";

const SECRET = "hunter2-correct-horse";
const ENCODED = Buffer.from(SECRET).toString("base64");
const GENERATED = Buffer.from("generated-by-the-operator").toString("base64");
const note = { apiVersion: "a.dev/v1", kind: "Note", metadata: { name: "a" } };
const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "db" }, stringData: { password: SECRET } };
const story: StoryFile = {
  levelset: "0.1.0",
  file: "src/my operator.ts",
  samples: ["sample.yaml"],
  ignore: ["hot-loop"],
  violation: {
    rule: "path-changes-the-end",
    object: "Note default/a",
    message: "It differs.",
    expected: "It is equal.",
    differences: [{ object: "Note default/a", path: "status.x", expected: "1", actual: undefined }],
  },
  case: {
    seed: 12,
    history: {
      operations: [
        { do: "create", object: note, afterMs: 60_000 },
        { do: "restart", afterMs: 0 },
      ],
    },
    faults: [],
  },
  events: [
    { atMs: 0, kind: "operation", text: "a user creates Note default/a" },
    { atMs: 5, kind: "write", text: "ConfigMap default/a is created" },
    { atMs: 60_000, kind: "operation", text: "the process is restarted" },
    { atMs: 90_000, kind: "fault", text: "all watches are cut" },
    { atMs: 90_000, kind: "violation", text: "path-changes-the-end is violated" },
  ],
  why: ["Note default/a  Ready"],
};
const origin = { name: "seed-12", writtenMs: Date.UTC(2026, 0, 1) };

test("a story has the columns of its events, their times, and the command that replays it", () => {
  expect(recordedStory(story, origin)).toEqual({
    name: "seed-12",
    rule: "path-changes-the-end",
    object: "Note default/a",
    message: "It differs.",
    seed: 12,
    file: "src/my operator.ts",
    writtenAt: "2026-01-01T00:00:00.000Z",
    check: "converges",
    expected: "It is equal.",
    differences: [{ object: "Note default/a", path: "status.x", expected: "1" }],
    events: [
      { column: "client", time: "0 ms", text: "a user creates Note default/a" },
      { column: "object", time: "5 ms", text: "ConfigMap default/a is created" },
      { column: "process", time: "1m", text: "the process is restarted" },
      { column: "fault", time: "1m 30s", text: "all watches are cut" },
      { column: "violation", time: "1m 30s", text: "path-changes-the-end is violated" },
    ],
    why: ["Note default/a  Ready"],
    isFaultless: true,
    command:
      "levelset simulate 'src/my operator.ts' --samples sample.yaml --ignore hot-loop --replay .levelset/simulation/seed-12.json",
  });
});

test("a story of an earlier version has no events, and a command without options", () => {
  const { events: _e, samples: _s, ignore: _i, why: _w, ...earlier } = story;
  const shown = recordedStory(earlier, origin);
  expect(shown).not.toHaveProperty("events");
  expect(shown.command).toBe("levelset simulate 'src/my operator.ts' --replay .levelset/simulation/seed-12.json");
});

test("values of Secrets of users and of operators are masked everywhere", () => {
  const quoted = `found ${SECRET} and ${ENCODED} and ${GENERATED}`;
  const withSecrets: StoryFile = {
    ...story,
    violation: {
      ...story.violation,
      message: quoted,
      expected: quoted,
      differences: [
        { object: "Secret default/db", path: "data.password", expected: JSON.stringify(GENERATED), actual: '"eA=="' },
        {
          object: "Secret default/tls",
          path: "",
          expected: JSON.stringify({ data: { key: ENCODED } }),
          actual: undefined,
        },
        { object: "Secret default/db", path: "type", expected: '"Opaque"', actual: undefined },
        { object: "Note default/a", path: "status.url", expected: JSON.stringify(quoted), actual: undefined },
      ],
    },
    case: { ...story.case, history: { operations: [{ do: "create", object: secret, afterMs: 0 }] } },
    events: [{ atMs: 0, kind: "operation", text: quoted }],
    why: [quoted],
  };
  const shown = recordedStory(withSecrets, origin);
  const text = JSON.stringify([shown, storyRow(withSecrets, origin)]);
  expect([SECRET, ENCODED, GENERATED, "eA=="].filter((value) => text.includes(value))).toEqual([]);
  expect(shown.differences.map(({ expected, found }) => [expected, found])).toEqual([
    ["***", "***"],
    ["***", undefined],
    ['"Opaque"', undefined],
    ['"found *** and *** and ***"', undefined],
  ]);
});
