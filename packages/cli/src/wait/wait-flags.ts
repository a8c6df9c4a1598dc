import { InputError } from "@levelset/core";
import { parseGoDurationMs } from "@levelset/core/internal";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";

/** The parsed `--timeout` flag, in milliseconds. */
export interface TimeoutFlag {
  readonly timeout?: number;
}

/** The parsed `--wait` flag of a command that writes. */
export interface WaitFlag extends TimeoutFlag {
  readonly wait?: boolean;
}

/** Default of `--timeout`. */
export const DEFAULT_TIMEOUT_MS = 300_000;

/** Adds `--timeout`. */
export function addTimeoutFlag(command: Command): Command {
  return command.option(
    "--timeout <duration>",
    "maximum wait, e.g. 90s or 1h30m; 0 means no limit (default: 5m)",
    parseTimeout,
  );
}

/** Adds `--wait` and its `--timeout` to a command that writes. */
export function addWaitFlag(command: Command, until: string): Command {
  return addTimeoutFlag(command.option("--wait", `wait until ${until}`));
}

/** Throws an InputError for `--timeout` without `--wait`. */
export function checkWaitFlags({ wait = false, timeout }: WaitFlag): void {
  if (!wait && timeout !== undefined) {
    throw new InputError("--timeout has no effect without --wait", { hint: "add --wait" });
  }
}

/** Help text on the exit codes of commands with `--wait`. */
export const WAIT_EXIT_CODES =
  "\nExit codes: 0; with --wait 3 if not Ready in time or Failed; 2 wrong argument, 1 any other error.";

/** Returns the timeout in milliseconds; 0 means no limit. */
export function timeoutMs({ timeout = DEFAULT_TIMEOUT_MS }: TimeoutFlag): number {
  return timeout;
}

function parseTimeout(text: string): number {
  const ms = parseGoDurationMs(text);
  if (ms !== undefined && ms >= 0) return Math.ceil(ms);
  throw new InvalidArgumentError("write a non-negative duration such as 90s, 30m or 1h30m.");
}

/** Parses the value of `--generation`. */
export function parseWaitGeneration(text: string): number {
  if (/^[1-9]\d{0,15}$/u.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError("write a whole number of at least 1.");
}
