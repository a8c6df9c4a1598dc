import { realClock } from "@levelset/core";
import { program } from "levelset";

/** The `levelset` command with all subcommands. */
export type CommandLine = Awaited<ReturnType<typeof program>>;

/** The command tree to document; its output is discarded. */
export async function commandLine(): Promise<CommandLine> {
  const never = new AbortController().signal;
  const quiet = (): void => {};
  const io = { stdout: quiet, stderr: quiet, exitCode: quiet, stdin: () => Promise.resolve("") };
  return await program({ ...io, env: {}, cwd: ".", clock: realClock, signal: () => never });
}
