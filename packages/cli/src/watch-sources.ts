import { watch } from "node:fs/promises";
import { isAbort } from "@levelset/core";
import type { Clock } from "@levelset/core";

/** Editors write a file in several steps; changes within this time are one. */
const SETTLE_MS = 100;
const SOURCE = /\.(ts|mts|js|mjs|json|yaml|yml)$/u;

/** The source files below a directory that change, one at a time, until the signal aborts. */
export async function* watchSources(
  directory: string,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  const { clock, signal } = options;
  let quietUntil = 0;
  try {
    for await (const { filename } of watch(directory, { recursive: true, signal })) {
      if (filename === null || !isSource(filename) || clock.now() < quietUntil) continue;
      await clock.sleep(SETTLE_MS, signal);
      quietUntil = clock.now() + SETTLE_MS;
      yield filename;
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

function isSource(path: string): boolean {
  const parts = path.split(/[/\\]/u);
  return SOURCE.test(path) && !parts.some((part) => part === "node_modules" || part === "dist" || part.startsWith("."));
}
