/** A recorded failure of `levelset simulate`, as a list row. */
export interface StoryRow {
  /** Name of its file without the extension: `seed-12`. */
  readonly name: string;
  /** The violated rule. */
  readonly rule: string;
  /** The object that violates it: `ConfigMap default/a`. Absent if it is not one object. */
  readonly object?: string;
  /** What was found. */
  readonly message: string;
  readonly seed: number;
  /** The file with the program. */
  readonly file: string;
  readonly writtenAt: string;
}

/** Page with the recorded failures of the simulations of a project. */
export interface StoriesDocument {
  /** The directory with the story files, relative to that of the console. */
  readonly directory: string;
  /** The newest first. */
  readonly stories: readonly StoryRow[];
  /** Number of older stories that are not listed. */
  readonly left: number;
  /** Files that are not stories, with the reasons. */
  readonly unreadable: readonly { readonly name: string; readonly message: string }[];
}

/** A column of a timeline: what clients, faults and processes did, and the objects that changed. The violation spans all. */
export type StoryColumn = "client" | "fault" | "process" | "object" | "violation";

/** An event of a timeline. */
export interface StoryEventView {
  readonly column: StoryColumn;
  /** Virtual time since the start: `1m 30s`. */
  readonly time: string;
  readonly text: string;
}

/** A value that differs from the expected end. */
export interface StoryDifference {
  readonly object: string;
  /** The path of the field; empty if the whole object is absent on one side. */
  readonly path: string;
  /** The value as JSON; absent if there is none. */
  readonly expected?: string;
  readonly found?: string;
}

/** Page of a recorded failure. Values of Secrets are masked. */
export interface StoryDocument extends StoryRow {
  /** The check that the rule belongs to. */
  readonly check: string;
  readonly expected: string;
  readonly differences: readonly StoryDifference[];
  /** Number of further differences. */
  readonly differencesLeft: number;
  /** Absent if the file has no events, because an earlier version of levelset has written it. */
  readonly events?: readonly StoryEventView[];
  /** Number of further events. */
  readonly eventsLeft: number;
  /** The lines of `levelset why` when the rule was violated. Absent if the file has none. */
  readonly why?: readonly string[];
  /** Whether the rule is violated without faults. */
  readonly isFaultless: boolean;
  /** The command that replays it, quoted for a shell. */
  readonly command: string;
}

const NAME = /^[\w-][\w.-]{0,99}$/u;

/** Reports whether a text may be the name of a story: a file name without path separators. */
export function isStoryName(text: string): boolean {
  return NAME.test(text);
}
