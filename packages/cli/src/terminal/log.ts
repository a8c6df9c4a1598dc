import { formatLogLine } from "@levelset/core/internal";
import { createLogger } from "@levelset/core";
import type { Logger, LogLevel } from "@levelset/core";
import type { Shell } from "./shell.ts";

/** Log format: text, or one JSON object per line. */
export type LogFormat = "text" | "json";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Log options of a command. */
export interface LogOptions {
  readonly format: LogFormat;
  readonly verbose: boolean;
  /** Default info. */
  readonly level?: LogLevel;
  /** Default: stderr, because stdout is for results. */
  readonly output?: "stdout" | "stderr";
}

/** Returns the logger of a command. */
export async function commandLogger(shell: Shell, options: LogOptions): Promise<Logger> {
  const level = options.verbose ? "debug" : (options.level ?? "info");
  const write = shell[options.output ?? "stderr"];
  if (options.format === "text") {
    return createLogger((line) => {
      if (LEVELS.indexOf(line.level) >= LEVELS.indexOf(level)) write(`${formatLogLine(line)}\n`);
    });
  }
  // Imported on demand: the import is slow.
  const { pino, stdSerializers } = await import("pino");
  const log = pino({ level, base: null, serializers: { err: stdSerializers.err } }, { write });
  return createLogger(({ level: severity, message, fields }) => log[severity](fields, message));
}
