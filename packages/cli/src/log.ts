import { formatLogLine, logTo } from "@levelset/core";
import type { Logger, LogLevel } from "@levelset/core";
import type { Shell } from "./shell.ts";

/** How log lines look: for people, or one JSON object a line for machines. */
export type LogFormat = "text" | "json";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** How a command logs. */
export interface LogOptions {
  readonly format: LogFormat;
  readonly verbose: boolean;
  /** Default info. */
  readonly level?: LogLevel;
  /** Default stderr: stdout is for what the command is asked to print. */
  readonly output?: "stdout" | "stderr";
}

/** The logger of a command. */
export async function commandLogger(shell: Shell, options: LogOptions): Promise<Logger> {
  const level = options.verbose ? "debug" : (options.level ?? "info");
  const write = shell[options.output ?? "stderr"];
  if (options.format === "text") {
    return logTo((line) => {
      if (LEVELS.indexOf(line.level) >= LEVELS.indexOf(level)) write(`${formatLogLine(line)}\n`);
    });
  }
  // Only where it is used: importing it takes longer than starting.
  const { pino, stdSerializers } = await import("pino");
  const log = pino({ level, base: null, serializers: { error: stdSerializers.err } }, { write });
  return logTo(({ level: severity, message, fields }) => log[severity](fields, message));
}
