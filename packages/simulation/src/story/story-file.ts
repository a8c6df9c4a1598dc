import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { parseJson, stringifyJson } from "@levelset/core/internal";
import { isRule } from "../violation/index.ts";
import type { SimulationRule, Violation } from "../violation/index.ts";
import type { Case, StoryEvent } from "../run/index.ts";
import { readCase } from "./read-case.ts";
import { readEvents } from "./read-events.ts";
import { readViolation } from "./read-violation.ts";

/** Version of the format. It changes with the meaning of a field. */
const STORY_VERSION = 1;

/** A recorded failure, which can be replayed: `.levelset/simulation/seed-12.json`. */
export interface StoryFile {
  /** The version of levelset that recorded it. */
  readonly levelset: string;
  /** The file with the program. */
  readonly file: string;
  /** The files of `--samples`. Absent if the option was not used, and in files of earlier versions. */
  readonly samples?: readonly string[];
  /** The rules of `--ignore`. Absent if the option was not used, and in files of earlier versions. */
  readonly ignore?: readonly SimulationRule[];
  readonly violation: Violation;
  readonly case: Case;
  /** What happened in the case until the violation. Absent in files of earlier versions. */
  readonly events?: readonly StoryEvent[];
  /** The lines of `levelset why` at the violation. Absent if no custom resource existed, and in files of earlier versions. */
  readonly why?: readonly string[];
}

/** Formats a story file. */
export function formatStoryFile({
  levelset,
  file,
  samples,
  ignore,
  violation,
  events,
  why,
  ...story
}: StoryFile): string {
  const fields = { version: STORY_VERSION, levelset, file, samples, ignore, rule: violation.rule };
  return `${stringifyJson({ ...fields, case: story.case, violation, events, why }, 2)}\n`;
}

/** Parses a story file. Throws an InputError with the field that is not valid. */
export function parseStoryFile(text: string, source: string): StoryFile {
  const story = parseObject(text, source);
  const { version, levelset } = story;
  if (typeof version !== "number") throw new InputError(`${source} is not a story: version is missing`, { hint: HINT });
  if (version !== STORY_VERSION) {
    throw new InputError(`${source} has version ${version} of the story format; this levelset reads ${STORY_VERSION}`, {
      hint: `run the seed again with this levelset, or replay it with levelset ${textOr(levelset, "of its version")}`,
    });
  }
  const parsed = readStory(story);
  if (typeof parsed === "string") throw new InputError(`${source} is not a story: ${parsed}`, { hint: HINT });
  return parsed;
}

/** Reads the fields of a story. Returns what is wrong with the first field that is not valid. */
function readStory({ levelset, file, ...story }: JsonObject): StoryFile | string {
  const recorded = readCase(story["case"]);
  if (typeof recorded === "string") return recorded;
  const violation = readViolation(story["violation"]);
  if (typeof violation === "string") return violation;
  const events = story["events"] === undefined ? undefined : readEvents(story["events"]);
  if (typeof events === "string") return events;
  const { samples, ignore, why } = story;
  if (samples !== undefined && !isTextList(samples)) return "samples: not a list of files";
  if (ignore !== undefined && !isRuleList(ignore)) return "ignore: not a list of rules";
  if (why !== undefined && !isTextList(why)) return "why: not a list of lines";
  return {
    levelset: textOr(levelset, "unknown"),
    file: textOr(file, ""),
    ...(samples === undefined ? {} : { samples }),
    ...(ignore === undefined ? {} : { ignore }),
    violation,
    case: recorded,
    ...(events === undefined ? {} : { events }),
    ...(why === undefined ? {} : { why }),
  };
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

function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item: JsonValue) => typeof item === "string");
}

function isRuleList(value: JsonValue): value is readonly SimulationRule[] {
  return isTextList(value) && value.every(isRule);
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
