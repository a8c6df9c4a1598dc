import { formatLogLine, logTo } from "@levelset/core";
import type { Logger, LogLevel } from "@levelset/core";
import type { Shell } from "./shell.ts";

/** How log lines look: for people, or one JSON object a line for machines. */
export type LogFormat = "text" | "json";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** The logger of a command: info and above, unless told otherwise. It writes to stderr; stdout is for what the command is asked to print. */
export async function commandLogger(
  shell: Shell,
  options: { readonly format: LogFormat; readonly verbose: boolean; readonly level?: LogLevel },
): Promise<Logger> {
  const level = options.verbose ? "debug" : (options.level ?? "info");
  if (options.format === "text") {
    return logTo((line) => {
      if (LEVELS.indexOf(line.level) >= LEVELS.indexOf(level)) shell.stderr(`${formatLogLine(line)}\n`);
    });
  }
  // Only where it is used: importing it takes longer than starting.
  const { pino, stdSerializers } = await import("pino");
  const log = pino({ level, base: null, serializers: { error: stdSerializers.err } }, { write: shell.stderr });
  return logTo(({ level: severity, message, fields }) => log[severity](fields, message));
}
