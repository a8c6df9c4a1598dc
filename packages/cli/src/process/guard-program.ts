/** How a command guards itself against the code of the program that it loads and runs. */
export interface ProgramGuardOptions {
  readonly stderr: (text: string) => void;
  /** The exit code if the program ends the process. */
  readonly exitCode: number;
}

/**
 * Guards a command whose output is a report on stdout, until it is disposed: what the program logs goes to stderr, and a
 * program that ends the process does not decide the exit code.
 */
export function guardProgram({ stderr, exitCode }: ProgramGuardOptions): Disposable {
  const { log, info, debug } = console;
  Object.assign(console, { log: console.error, info: console.error, debug: console.error });
  const onExit = (): void => {
    stderr("levelset: the program ended the process: remove process.exit from its code\n");
    process.exitCode = exitCode;
  };
  process.once("exit", onExit);
  return {
    [Symbol.dispose]: () => {
      process.off("exit", onExit);
      Object.assign(console, { log, info, debug });
    },
  };
}
