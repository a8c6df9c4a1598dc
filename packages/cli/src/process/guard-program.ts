/** How a command guards itself against the code of the program that it loads and runs. */
export interface ProgramGuardOptions {
  readonly stderr: (text: string) => void;
  /** The exit code if the program ends the process. */
  readonly exitCode: number;
  /** Aborts when a user stops the command. A second stop signal ends the process. */
  readonly signal: AbortSignal;
}

/**
 * Guards a command whose output is a report on stdout, until it is disposed: what the program writes to stdout goes to
 * stderr, and a program that ends the process does not decide the exit code.
 */
export function guardProgram({ stderr, exitCode, signal }: ProgramGuardOptions): Disposable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const onExit = (): void => {
    if (signal.aborted) return;
    stderr("levelset: the program ended the process: remove process.exit from its code\n");
    process.exitCode = exitCode;
  };
  process.once("exit", onExit);
  return {
    [Symbol.dispose]: () => {
      process.off("exit", onExit);
      process.stdout.write = write;
    },
  };
}
