/** Log lines: a constant message, and fields for the rest. Begin with `logger.ts`. */

export { createLogger, silentLogger } from "./logger.ts";
export type { LogFields, Logger, LogLevel, LogLine } from "./logger.ts";
export { formatLogLine } from "./format-log-line.ts";
