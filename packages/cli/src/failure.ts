import { DeclarationError, InputError, isAbort, toError } from "@levelset/core";
import { CommanderError } from "commander";

/** The exit codes of every command. */
export const EXIT: { readonly ok: 0; readonly failure: 1; readonly usage: 2; readonly notReady: 3 } = {
  ok: 0,
  failure: 1,
  usage: 2,
  notReady: 3,
};

/** 2 for what the caller gave us, 1 for all that went wrong afterwards, 0 for help, version and a requested stop. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (isAbort(error)) return EXIT.ok;
  return error instanceof InputError ? EXIT.usage : EXIT.failure;
}

/** Prints an error as one line and, where there is one, a hint. The stack only when asked for. */
export function reportError(
  thrown: unknown,
  options: { readonly stderr: (text: string) => void; readonly verbose: boolean },
): void {
  if (isAbort(thrown)) return;
  const error = toError(thrown);
  options.stderr(`levelset: ${error.message.split("\n")[0]}\n`);
  const hint = hintOf(error, options.verbose);
  if (hint !== undefined) options.stderr(`hint: ${hint}\n`);
  if (options.verbose) options.stderr(`${error.stack ?? ""}\n`);
}

function hintOf(error: Error, verbose: boolean): string | undefined {
  if (error instanceof InputError) return error.hint;
  if (error instanceof DeclarationError)
    return "the operator's declaration contradicts itself; mend it and start again";
  return verbose ? undefined : "run again with --verbose for the details";
}
