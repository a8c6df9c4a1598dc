import { isJsonObject, sha256, truncateText } from "@levelset/core";

/** How many dead letters of a subscription are kept; the oldest go first. */
export const LETTERS_MAX = 10_000;

/** How long the text of an error may be that is kept. */
const ERROR_LENGTH_MAX = 1_000;

/**
 * Why nobody handles a message any more. `malformed`: it is no CloudEvent. `rejected`: the handler said that trying again is of no
 * use. `exhausted`: the handler failed too often. `undeliverable`: it was handed out too often and never ended, so it may be what
 * ends its consumers; or the server itself gave it up.
 */
export type DeadLetterReason = "malformed" | "rejected" | "exhausted" | "undeliverable";

/** A message that was put aside for a person to look at. */
export interface DeadLetter {
  readonly id: string;
  readonly reason: DeadLetterReason;
  /** What the last try said. */
  readonly error: string;
  readonly attempts: number;
  /** When it was put aside, in ms since the epoch. */
  readonly at: number;
  /** What it was kept in order by. */
  readonly key: string | undefined;
  /** The message, byte for byte. */
  readonly body: Uint8Array;
}

/** Which dead letters are meant. */
export type LetterChoice = "all" | readonly string[];

/** The dead letters of one subscription, oldest first. Each operation works on what was there when it began. */
export interface DeadLetterQueue {
  /** At most `limit` of them, 100 by default. */
  list(options?: { readonly limit?: number }): Promise<readonly DeadLetter[]>;
  /** Hands them to the subscription again (not to others of the topic), as new messages. Answers how many. */
  replay(choice: LetterChoice): Promise<number>;
  /** Drops them for good. Answers how many. */
  discard(choice: LetterChoice): Promise<number>;
}

/** Whether a choice names a letter. */
export function isChosen(choice: LetterChoice, id: string): boolean {
  return choice === "all" || choice.includes(id);
}

/** The name of the header that carries what is known of a dead letter. */
export const LETTER_HEADER: string = "levelset-letter";

/** What is known of a letter besides its body, as the value of a header: one line of ASCII. */
export function encodeLetter(letter: DeadLetter): string {
  const { body: _, ...note } = letter;
  const json = JSON.stringify({ ...note, error: truncateText(note.error, ERROR_LENGTH_MAX) });
  return json.replaceAll(/[^\x20-\x7e]/gu, (character) =>
    Array.from({ length: character.length }, (_each, at) => escape(character.charCodeAt(at))).join(""),
  );
}

/** The letter of a body and its header. Without a usable header it was the server that put it aside, at a time it does not tell. */
export function decodeLetter(body: Uint8Array, header: string | undefined): DeadLetter {
  const note = parseNote(header);
  const { id, reason, error, attempts, at, key } = note;
  return {
    id: typeof id === "string" ? id : Buffer.from(sha256(body)).toString("hex"),
    reason: isReason(reason) ? reason : "undeliverable",
    error: typeof error === "string" ? error : "put aside by the server",
    attempts: typeof attempts === "number" ? attempts : 0,
    at: typeof at === "number" ? at : 0,
    key: typeof key === "string" ? key : undefined,
    body,
  };
}

function escape(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

function isReason(value: unknown): value is DeadLetterReason {
  return value === "malformed" || value === "rejected" || value === "exhausted" || value === "undeliverable";
}

function parseNote(header: string | undefined): Readonly<Record<string, unknown>> {
  if (header === undefined) return {};
  try {
    const note: unknown = JSON.parse(header);
    return isJsonObject(note) ? note : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
