import { createLogger } from "../log/index.ts";
import type { Logger, LogLine } from "../log/index.ts";

/** Returns a logger that records its lines. */
export function memoryLogger(): { readonly logger: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  return { logger: createLogger((line) => lines.push(line)), lines };
}
