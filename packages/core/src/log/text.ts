import type { LogLevel, LogLine } from "./logger.ts";

const MARK: Readonly<Record<LogLevel, string>> = { debug: "·", info: " ", warn: "!", error: "✗" };

/** A line for people: the message, then `field=value` pairs. Errors show their message, not their stack. */
export function formatLogLine(line: LogLine): string {
  const fields = Object.entries(line.fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  return [`${MARK[line.level]} ${line.message}`, ...fields].join("  ");
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  if (typeof value === "string") return /^[\w./:@-]+$/u.test(value) ? value : JSON.stringify(value);
  if (typeof value === "bigint") return value.toString();
  return JSON.stringify(value) ?? "undefined";
}
