import { realClock } from "@levelset/core";
import { program } from "levelset";

/** The `levelset` command with all that is below it. */
export type CommandLine = Awaited<ReturnType<typeof program>>;

/** The command line to look at: nobody hears what it says. */
export async function commandLine(): Promise<CommandLine> {
  const never = new AbortController().signal;
  const quiet = (): void => {};
  const io = { stdout: quiet, stderr: quiet, exitCode: quiet, stdin: () => Promise.resolve("") };
  return await program({ ...io, env: {}, cwd: ".", clock: realClock, signal: () => never });
}
