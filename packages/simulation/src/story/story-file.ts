import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { parseJson, stringifyJson } from "@levelset/core/internal";
import { isRule } from "../violation/index.ts";
import type { Difference, Violation } from "../violation/index.ts";
import type { Case } from "../run/index.ts";
import { readCase } from "./read-case.ts";

/** Version of the format. It changes with the meaning of a field. */
const STORY_VERSION = 1;

/** A recorded failure, which can be replayed: `.levelset/simulation/seed-12.json`. */
export interface StoryFile {
  /** The version of levelset that recorded it. */
  readonly levelset: string;
  /** The file with the program. */
  readonly file: string;
  readonly violation: Violation;
  readonly case: Case;
}

/** Formats a story file. */
export function formatStoryFile({ levelset, file, violation, case: recorded }: StoryFile): string {
  return `${stringifyJson({ version: STORY_VERSION, levelset, file, rule: violation.rule, case: recorded, violation }, 2)}\n`;
}

/** Parses a story file. Throws an InputError with the field that is not valid. */
export function parseStoryFile(text: string, source: string): StoryFile {
  const story = parseObject(text, source);
  const { version, levelset, file } = story;
  if (typeof version !== "number") throw new InputError(`${source} is not a story: version is missing`, { hint: HINT });
  if (version !== STORY_VERSION) {
    throw new InputError(`${source} has version ${version} of the story format; this levelset reads ${STORY_VERSION}`, {
      hint: `run the seed again with this levelset, or replay it with levelset ${textOr(levelset, "of its version")}`,
    });
  }
  const recorded = readCase(story["case"]);
  if (typeof recorded === "string") throw new InputError(`${source} is not a story: ${recorded}`, { hint: HINT });
  const violation = readViolation(story["violation"]);
  if (typeof violation === "string") throw new InputError(`${source} is not a story: ${violation}`, { hint: HINT });
  return { levelset: textOr(levelset, "unknown"), file: textOr(file, ""), violation, case: recorded };
}

const HINT = "pass a file that levelset simulate has written: .levelset/simulation/seed-N.json";

function parseObject(text: string, source: string): JsonObject {
  let parsed: JsonValue;
  try {
    parsed = parseJson(text);
  } catch (error) {
    throw new InputError(`${source} is not JSON`, { hint: HINT, cause: error });
  }
  if (isJsonObject(parsed)) return parsed;
  throw new InputError(`${source} is not a story: not an object`, { hint: HINT });
}

function readViolation(value: JsonValue | undefined): Violation | string {
  if (!isJsonObject(value)) return "violation: not an object";
  const { rule, message, expected, object, differences } = value;
  if (typeof rule !== "string" || !isRule(rule)) return `violation.rule: unknown rule ${JSON.stringify(rule) ?? ""}`;
  if (typeof message !== "string" || typeof expected !== "string") return "violation.message: missing";
  return {
    rule,
    message,
    expected,
    ...(typeof object === "string" ? { object } : {}),
    ...(Array.isArray(differences) ? { differences: differences.flatMap(readDifference) } : {}),
  };
}

function readDifference(value: JsonValue): readonly Difference[] {
  if (!isJsonObject(value)) return [];
  const { object, path, expected, actual } = value;
  return [
    {
      object: textOr(object, ""),
      path: textOr(path, ""),
      expected: typeof expected === "string" ? expected : undefined,
      actual: typeof actual === "string" ? actual : undefined,
    },
  ];
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
