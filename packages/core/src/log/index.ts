export { logTo, silentLogger } from "./logger.ts";
export type { LogFields, Logger, LogLevel, LogLine } from "./logger.ts";
export { formatLogLine } from "./text.ts";
