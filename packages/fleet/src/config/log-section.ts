import type { Section } from "./section.ts";

/** Log settings. */
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
    about: "the minimum level of log lines",
  });
  const format = log.choice("format", ["text", "json"], {
    default: "text",
    env: ["HYPERFLEET_LOGGING_FORMAT"],
    about: "human-readable lines, or one JSON object per line",
  });
  const output = log.choice("output", ["stdout", "stderr"], {
    default: "stderr",
    about: "where log lines are written",
  });
  return { level: level ?? "info", format: format ?? "text", output: output ?? "stderr" };
}
