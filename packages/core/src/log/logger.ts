/** Fields of a log line besides its constant message. Must not contain Secret data. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Log levels, least urgent first. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** A log line before it is formatted. */
export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/**
 * Logs a constant message with fields. `with` binds fields to all later lines: a reconcile binds controller, kind,
 * namespace, name and reconcile ID once.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Logger;
}

/** Creates a logger that passes each line to `sink`. The sink formats and writes it. */
export function createLogger(sink: (line: LogLine) => void, bound: LogFields = {}): Logger {
  const log =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      sink({ level, message, fields: { ...bound, ...fields } });
  return {
    debug: log("debug"),
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
    with: (fields) => createLogger(sink, { ...bound, ...fields }),
  };
}

/** Discards all lines. */
export const silentLogger: Logger = createLogger(() => {});
