import { join } from "node:path";
import type { RecordedStory, StoryRow } from "@levelset/console";
import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { parseJson, SECRET_MASK, secretScrubber } from "@levelset/core/internal";
import type { Difference } from "@levelset/simulation";
import { columnsOf, formatTime, oracleOf } from "@levelset/simulation/internal";
import type { StoryFile } from "@levelset/simulation/internal";
import { commandLine, STORY_DIRECTORY } from "../simulate/index.ts";

/** Where and when a story was written. */
export interface StoryOrigin {
  /** Name of the file without the extension. */
  readonly name: string;
  readonly writtenMs: number;
}

/** Returns the list row of a story file. Values of Secrets are masked. */
export function storyRow(story: StoryFile, { name, writtenMs }: StoryOrigin): StoryRow {
  const { violation, file, case: recorded } = story;
  const { rule, object, message } = violation;
  return {
    name,
    rule,
    ...(object === undefined ? {} : { object }),
    message: scrubberOf(story)(message),
    seed: recorded.seed,
    file,
    writtenAt: new Date(writtenMs).toISOString(),
  };
}

/** Returns the content of a story file for a page. Values of Secrets are masked. */
export function recordedStory(story: StoryFile, origin: StoryOrigin): RecordedStory {
  const { violation, file, samples, ignore = [], events, why, case: recorded } = story;
  const scrub = scrubberOf(story);
  const path = join(STORY_DIRECTORY, `${origin.name}.json`);
  return {
    ...storyRow(story, origin),
    check: oracleOf(violation),
    expected: scrub(violation.expected),
    differences: (violation.differences ?? []).map((each) => differenceOf(each, scrub)),
    ...(events === undefined
      ? {}
      : {
          events: columnsOf(events, recorded.history.operations).map(({ column, atMs, text }) => ({
            column,
            time: formatTime(atMs),
            text: scrub(text),
          })),
        }),
    ...(why === undefined ? {} : { why: why.map(scrub) }),
    isFaultless: recorded.faults.length === 0,
    command: commandLine({ file, samples, ignore }, ["--replay", path]),
  };
}

function differenceOf(
  { object, path, expected, actual }: Difference,
  scrub: (text: string) => string,
): RecordedStory["differences"][number] {
  const shown = isSecretValue(object, path) ? () => SECRET_MASK : scrub;
  return {
    object,
    path,
    ...(expected === undefined ? {} : { expected: shown(expected) }),
    ...(actual === undefined ? {} : { found: shown(actual) }),
  };
}

/** Reports whether a difference is about values of a Secret, or about a whole Secret. */
function isSecretValue(object: string, path: string): boolean {
  return object.startsWith("Secret ") && /^(?:(?:data|stringData)(?:\.|$)|$)/u.test(path);
}

/** Returns a function that masks the values of the Secrets of a story. */
function scrubberOf({ case: { history }, violation: { differences = [] } }: StoryFile): (text: string) => string {
  const operations = history.operations.flatMap((operation): readonly JsonValue[] => {
    if ("object" in operation) return [operation.object];
    if (operation.do !== "edit-child" || operation.target?.kind !== "Secret") return [];
    return [{ apiVersion: "v1", ...operation.patch, kind: "Secret" }];
  });
  return secretScrubber([...operations, ...differences.flatMap(secretsOf)]);
}

/** Returns the Secrets that a difference contains the values of. */
function secretsOf({ object, path, expected, actual }: Difference): readonly JsonValue[] {
  if (!isSecretValue(object, path)) return [];
  return [expected, actual].flatMap((text): readonly JsonValue[] => {
    const value = text === undefined ? undefined : parsed(text);
    if (value === undefined) return [];
    if (path === "") return isJsonObject(value) ? [{ apiVersion: "v1", ...value, kind: "Secret" }] : [];
    return [
      { apiVersion: "v1", kind: "Secret", [path.split(".", 1)[0] ?? ""]: isJsonObject(value) ? value : { value } },
    ];
  });
}

/** Parses a value of a difference; undefined if it is not JSON. */
function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined; // shown masked, as every value of a Secret
  }
}
