import type { StoriesDocument, StoryDifference, StoryDocument, StoryEventView, StoryRow } from "../../api/index.ts";
import type { Stories } from "../monitor/stories.ts";

/** Maximum number of differences and of events. */
const ROWS_MAX = 500;
/** Maximum length of a text of a list and of a story. */
const LENGTH_MAX = { list: 300, story: 4_000 } as const;

/** Computes the page with all stories. Long texts are truncated. */
export async function storiesPage(stories: Stories, signal: AbortSignal): Promise<StoriesDocument> {
  const { directory, stories: rows, left, unreadable } = await stories.list(signal);
  return {
    directory,
    stories: rows.map((row) => rowOf(row, LENGTH_MAX.list)),
    left,
    unreadable: unreadable.map(({ name, message }) => ({ name, message: truncated(message, LENGTH_MAX.list) })),
  };
}

/** Computes the page of a story. Long lists and texts are truncated. */
export async function storyPage(name: string, stories: Stories, signal: AbortSignal): Promise<StoryDocument> {
  const story = await stories.read(name, signal);
  const { events, why, check, differences, isFaultless, command } = story;
  const text = (value: string): string => truncated(value, LENGTH_MAX.story);
  return {
    ...rowOf(story, LENGTH_MAX.story),
    check,
    expected: text(story.expected),
    differences: differences.slice(0, ROWS_MAX).map((each) => differenceOf(each, text)),
    differencesLeft: Math.max(0, differences.length - ROWS_MAX),
    ...(events === undefined ? {} : { events: events.slice(0, ROWS_MAX).map((each) => eventOf(each, text)) }),
    eventsLeft: Math.max(0, (events?.length ?? 0) - ROWS_MAX),
    ...(why === undefined ? {} : { why: why.slice(0, ROWS_MAX).map(text) }),
    isFaultless,
    command, // complete, because a part of it would be another command
  };
}

function rowOf({ name, rule, object, message, seed, file, writtenAt }: StoryRow, lengthMax: number): StoryRow {
  return {
    name,
    rule,
    ...(object === undefined ? {} : { object: truncated(object, lengthMax) }),
    message: truncated(message, lengthMax),
    seed,
    file: truncated(file, lengthMax),
    writtenAt,
  };
}

function differenceOf(
  { object, path, expected, found }: StoryDifference,
  text: (value: string) => string,
): StoryDifference {
  return {
    object: text(object),
    path: text(path),
    ...(expected === undefined ? {} : { expected: text(expected) }),
    ...(found === undefined ? {} : { found: text(found) }),
  };
}

function eventOf({ column, time, text: shown }: StoryEventView, text: (value: string) => string): StoryEventView {
  return { column, time, text: text(shown) };
}

function truncated(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)} …` : text;
}
