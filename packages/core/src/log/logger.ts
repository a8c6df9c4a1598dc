/** What a log line may say besides its constant message. Never a Secret's content. */
export type LogFields = Readonly<Record<string, unknown>>;

/** From the least to the most urgent. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** One line of the log, before it is written anywhere. */
export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/**
 * A constant message and fields for the rest. `with` binds fields to every later line: a reconcile binds controller, kind,
 * namespace, name and reconcile id once.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Logger;
}

/** A logger that hands each line to `sink`; where it goes and what it looks like is the sink's matter. */
export function logTo(sink: (line: LogLine) => void, bound: LogFields = {}): Logger {
  const log =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      sink({ level, message, fields: { ...bound, ...fields } });
  return {
    debug: log("debug"),
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
    with: (fields) => logTo(sink, { ...bound, ...fields }),
  };
}

/** Says nothing. */
export const silentLogger: Logger = logTo(() => {});
