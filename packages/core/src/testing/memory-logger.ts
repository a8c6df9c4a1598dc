import { logTo } from "../log/index.ts";
import type { Logger, LogLine } from "../log/index.ts";

/** A logger that keeps its lines for a test to read. */
export function memoryLogger(): { readonly logger: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  return { logger: logTo((line) => lines.push(line)), lines };
}
