import type { LogLevel, LogLine } from "./logger.ts";

const MARK: Readonly<Record<LogLevel, string>> = { debug: "·", info: " ", warn: "!", error: "✗" };

/**
 * Formats a line for people: the message, then `field=value` pairs. Errors are shown by their message. The field
 * `stack` is printed on separate lines below.
 */
export function formatLogLine(line: LogLine): string {
  const { stack, ...others } = line.fields;
  const fields = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const text = [`${MARK[line.level]} ${line.message}`, ...fields].join("  ");
  // Indented, so that a stack line cannot be mistaken for a log line.
  return typeof stack === "string" ? `${text}\n${stack.replaceAll(/^[^\S\n]*/gmu, "    ")}` : text;
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  if (typeof value === "string") return /^[\w./:@-]+$/u.test(value) ? value : JSON.stringify(value);
  if (typeof value === "bigint") return value.toString();
  return JSON.stringify(value) ?? "undefined";
}
