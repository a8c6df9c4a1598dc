import { DeclarationError, InputError, isAbortError } from "@levelset/core";
import { escapeControlChars, toError } from "@levelset/core/internal";
import { CommanderError } from "commander";

/** The exit codes of every command. */
export const EXIT_CODES: {
  readonly ok: 0;
  readonly failure: 1;
  readonly usage: 2;
  readonly notReady: 3;
  readonly regression: 4;
  readonly violated: 3;
  readonly interrupted: 130;
} = {
  ok: 0,
  failure: 1,
  usage: 2,
  notReady: 3,
  regression: 4,
  violated: 3,
  interrupted: 130,
};

/** Returns 2 for wrong arguments, 1 for other errors, 0 for help, version and a requested stop. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  if (isAbortError(error)) return EXIT_CODES.ok;
  return error instanceof InputError ? EXIT_CODES.usage : EXIT_CODES.failure;
}

/** Prints an error as one line with its hint; the stack only with `--verbose`. */
export function reportError(
  thrown: unknown,
  options: { readonly stderr: (text: string) => void; readonly verbose: boolean },
): void {
  if (isAbortError(thrown)) return;
  const error = toError(thrown);
  // Errors quote files and servers.
  options.stderr(`levelset: ${escapeControlChars(error.message.split("\n")[0] ?? "")}\n`);
  const hint = hintOf(error, options.verbose);
  if (hint !== undefined) options.stderr(`hint: ${escapeControlChars(hint)}\n`);
  if (options.verbose) options.stderr(`${error.stack ?? ""}\n`);
}

function hintOf(error: Error, verbose: boolean): string | undefined {
  if (error instanceof InputError) return error.hint;
  if (error instanceof DeclarationError) return "fix the operator's definition and start again";
  return verbose ? undefined : "run again with --verbose for the details";
}
