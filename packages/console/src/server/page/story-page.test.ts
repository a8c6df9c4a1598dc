import { InputError } from "@levelset/core";
import { expect, test } from "vitest";
import type { RecordedStory } from "../monitor/stories.ts";
import { storiesPage, storyPage } from "./story-page.ts";

const story: RecordedStory = {
  name: "seed-1",
  rule: "left-behind",
  object: "Note default/a",
  message: "It stays.",
  seed: 1,
  file: "src/operator.ts",
  writtenAt: "2026-01-01T00:00:00.000Z",
  check: "clean",
  expected: "It is gone.",
  differences: [{ object: "Note default/a", path: "", found: "{}" }],
  events: [{ column: "client", time: "0 ms", text: "a user deletes Note default/a" }],
  why: ["Note default/a  Ready"],
  isFaultless: true,
  command: "levelset simulate src/operator.ts --replay .levelset/simulation/seed-1.json",
};
const signal = AbortSignal.any([]);

function storiesWith(changes: Partial<RecordedStory>): Parameters<typeof storyPage>[1] {
  const changed = { ...story, ...changes };
  return {
    list: () => Promise.resolve({ directory: "d", stories: [changed], left: 7, unreadable: [] }),
    read: (name) => (name === story.name ? Promise.resolve(changed) : Promise.reject(new InputError("none"))),
  };
}

test("a story of normal size is shown completely", async () => {
  expect(await storyPage("seed-1", storiesWith({}), signal)).toEqual({ ...story, differencesLeft: 0, eventsLeft: 0 });
});

test("a story without events has none on its page", async () => {
  const { events: _, ...earlier } = story;
  const stories = { ...storiesWith({}), read: () => Promise.resolve(earlier) };
  expect(await storyPage("seed-1", stories, signal)).not.toHaveProperty("events");
});

test("long lists and texts are truncated, but not the command", async () => {
  const text = "x".repeat(1_000_000);
  const page = await storyPage(
    "seed-1",
    storiesWith({
      message: text,
      command: text.slice(0, 10_000),
      differences: Array.from({ length: 600 }, () => ({ object: "A a", path: text, expected: text })),
      events: Array.from({ length: 700 }, () => ({ column: "object" as const, time: "1m", text })),
    }),
    signal,
  );
  expect([page.differences.length, page.differencesLeft, page.events?.length, page.eventsLeft]).toEqual([
    500, 100, 500, 200,
  ]);
  expect([page.message, page.differences[0]?.path, page.differences[0]?.expected, page.events?.[0]?.text]).toEqual(
    Array.from({ length: 4 }, () => `${"x".repeat(4_000)} …`),
  );
  expect(page.command).toHaveLength(10_000);
});

test("a list has only the fields of rows, with shorter texts", async () => {
  const { name, rule, object, seed, file, writtenAt } = story;
  const message = `${"x".repeat(300)} …`;
  expect(await storiesPage(storiesWith({ message: "x".repeat(301) }), signal)).toEqual({
    directory: "d",
    stories: [{ name, rule, object, message, seed, file, writtenAt }],
    left: 7,
    unreadable: [],
  });
});
