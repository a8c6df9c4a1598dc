import { InputError, parseGoDuration } from "@levelset/core";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";

/** How long a command waits, as read: milliseconds. */
export interface TimeoutFlag {
  readonly timeout?: number;
}

/** Whether a command that writes waits for the result of its write. */
export interface WaitFlag extends TimeoutFlag {
  readonly wait?: boolean;
}

/** How long a command waits if nothing else is asked for. */
export const DEFAULT_TIMEOUT_MS = 300_000;

/** Adds `--timeout`. */
export function addTimeoutFlag(command: Command): Command {
  return command.option(
    "--timeout <duration>",
    "how long to wait (90s, 1h30m; 0: without a limit; default: 5m)",
    parseTimeout,
  );
}

/** Adds `--wait` and its `--timeout` to a command that writes. */
export function addWaitFlag(command: Command, until: string): Command {
  return addTimeoutFlag(command.option("--wait", `wait until ${until}`));
}

/** Refuses `--timeout` without `--wait`: it would have no effect. */
export function checkWaitFlags({ wait = false, timeout }: WaitFlag): void {
  if (!wait && timeout !== undefined) {
    throw new InputError("--timeout has no meaning without --wait", { hint: "add --wait" });
  }
}

/** What the help of a command with `--wait` says about its end. */
export const WAIT_EXIT_CODES =
  "\nExit codes: 0; with --wait 3 if not ready in time or failed; 2 a wrong argument, 1 anything else.";

/** How long to wait; 0 without a limit. */
export function timeoutMs({ timeout = DEFAULT_TIMEOUT_MS }: TimeoutFlag): number {
  return timeout;
}

function parseTimeout(text: string): number {
  const nanos = parseGoDuration(text);
  if (nanos !== undefined && nanos >= 0n) return Math.ceil(Number(nanos) / 1e6);
  throw new InvalidArgumentError("a time is written like 90s, 30m or 1h30m, and is not negative.");
}

/** Reads the value of `--generation`. */
export function parseWaitGeneration(text: string): number {
  if (/^[1-9]\d{0,15}$/u.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError("a generation is a whole number from 1.");
}
