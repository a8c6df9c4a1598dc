import { isJsonObject } from "@levelset/core";
import { sha256, truncateText } from "@levelset/core/internal";

/** The maximum number of dead letters per subscription; the oldest are dropped first. */
export const DEAD_LETTERS_MAX = 10_000;

/** The maximum length of a stored error text. */
const ERROR_LENGTH_MAX = 1_000;

/**
 * Why a message is no longer retried. `malformed`: not a CloudEvent. `rejected`: the handler rejected it permanently.
 * `exhausted`: the handler failed too often. `undeliverable`: it was delivered too often without being settled, so it
 * may crash its consumers, or the server gave it up.
 */
export type DeadLetterReason = "malformed" | "rejected" | "exhausted" | "undeliverable";

/** A message retained for inspection by an operator. */
export interface DeadLetter {
  readonly id: string;
  readonly reason: DeadLetterReason;
  /** The error of the last attempt. */
  readonly error: string;
  readonly attempts: number;
  /** When it was dead-lettered, in ms since the epoch. */
  readonly at: number;
  /** The ordering key. */
  readonly key: string | undefined;
  /** The unchanged bytes of the message. */
  readonly body: Uint8Array;
}

/** Selects dead letters. */
export type DeadLetterSelection = "all" | readonly string[];

/**
 * The dead letters of one subscription, oldest first. Each operation covers the dead letters present when it starts.
 * Methods reject with `BrokerUnavailableError` if the server cannot be reached.
 */
export interface DeadLetterQueue {
  /** Returns at most `limit` dead letters; default 100. */
  list(options?: { readonly limit?: number }): Promise<readonly DeadLetter[]>;
  /**
   * Sends dead letters to this subscription again (not to others of the topic) as new messages, and returns how many.
   */
  replay(choice: DeadLetterSelection): Promise<number>;
  /** Deletes dead letters and returns how many. */
  discard(choice: DeadLetterSelection): Promise<number>;
}

/** Returns true if a selection includes a dead letter. */
export function isDeadLetterSelected(choice: DeadLetterSelection, id: string): boolean {
  return choice === "all" || choice.includes(id);
}

/** The header that carries the metadata of a dead letter. */
export const DEAD_LETTER_HEADER: string = "levelset-letter";

/** Encodes the metadata of a dead letter as a header value: one line of ASCII. */
export function encodeDeadLetter(deadLetter: DeadLetter): string {
  const { body: _, ...note } = deadLetter;
  const json = JSON.stringify({ ...note, error: truncateText(note.error, ERROR_LENGTH_MAX) });
  return json.replaceAll(/[^\x20-\x7e]/gu, (character) =>
    Array.from({ length: character.length }, (_each, at) => escape(character.charCodeAt(at))).join(""),
  );
}

/**
 * Decodes a dead letter from body and header. Without a usable header, the server dead-lettered it at an unknown time.
 */
export function decodeDeadLetter(body: Uint8Array, header: string | undefined): DeadLetter {
  const note = parseNote(header);
  const { id, reason, error, attempts, at, key } = note;
  return {
    id: typeof id === "string" ? id : Buffer.from(sha256(body)).toString("hex"),
    reason: isReason(reason) ? reason : "undeliverable",
    error: typeof error === "string" ? error : "dead-lettered by the server",
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
