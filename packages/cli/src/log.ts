import { formatLogLine, logTo } from "@levelset/core";
import type { Logger } from "@levelset/core";
import type { Shell } from "./shell.ts";

/** How log lines look: for people, or one JSON object a line for machines. */
export type LogFormat = "text" | "json";

/** The logger of a command. It writes to stderr; stdout is for what the command is asked to print. */
export async function commandLogger(
  shell: Shell,
  options: { readonly format: LogFormat; readonly verbose: boolean },
): Promise<Logger> {
  const level = options.verbose ? "debug" : "info";
  if (options.format === "text") {
    return logTo((line) => {
      if (line.level === "debug" && !options.verbose) return;
      shell.stderr(`${formatLogLine(line)}\n`);
    });
  }
  // Only where it is used: importing it takes longer than starting.
  const { pino, stdSerializers } = await import("pino");
  const log = pino({ level, base: null, serializers: { error: stdSerializers.err } }, { write: shell.stderr });
  return logTo(({ level: severity, message, fields }) => log[severity](fields, message));
}
