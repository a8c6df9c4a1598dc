import { isAbortError } from "@levelset/core";
import { EXIT_CODES } from "./exit-code.ts";

/** The part of a shell that a stop signal concerns. */
interface StoppableShell {
  readonly signal: () => AbortSignal;
  readonly exitCode: (code: number) => void;
}

/** Runs a command that ends by itself. If a signal stops it before its end, it exits with 130. */
export async function interruptible<S extends StoppableShell>(
  shell: S,
  command: (shell: S) => Promise<void>,
): Promise<void> {
  // Shared by all parts: each call of `signal` installs process listeners.
  const signal = shell.signal();
  try {
    await command({ ...shell, signal: () => signal });
  } catch (error) {
    if (!signal.aborted || !isAbortError(error)) throw error;
    shell.exitCode(EXIT_CODES.interrupted);
  }
}
