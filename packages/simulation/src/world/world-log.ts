import { createLogger } from "@levelset/core";
import type { Logger, LogLine } from "@levelset/core";

/** What logs in a world: the processes of its program, or its embedded server. */
export type LogSource = "process" | "server";

/** A log line of a world. */
export interface WorldLogLine extends LogLine {
  readonly source: LogSource;
}

/** Records the log lines of a world. */
export class WorldLog {
  readonly #lines: WorldLogLine[] = [];

  /** All lines so far, oldest first. */
  get lines(): readonly WorldLogLine[] {
    return this.#lines;
  }

  /** Returns a logger whose lines have this source. */
  logger(source: LogSource): Logger {
    return createLogger((line) => this.#lines.push({ ...line, source }));
  }
}
