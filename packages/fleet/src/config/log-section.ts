import type { Section } from "./section.ts";

/** What is logged, and where to. */
export interface LogConfig {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly format: "text" | "json";
  readonly output: "stdout" | "stderr";
}

/** Reads `log`. */
export function readLog(log: Section): LogConfig {
  const level = log.choice("level", ["debug", "info", "warn", "error"], {
    default: "info",
    env: ["HYPERFLEET_LOGGING_LEVEL"],
    about: "the least severe lines that are written",
  });
  const format = log.choice("format", ["text", "json"], {
    default: "text",
    env: ["HYPERFLEET_LOGGING_FORMAT"],
    about: "lines for people, or one JSON object a line",
  });
  const output = log.choice("output", ["stdout", "stderr"], {
    default: "stderr",
    about: "where lines are written",
  });
  return { level: level ?? "info", format: format ?? "text", output: output ?? "stderr" };
}
