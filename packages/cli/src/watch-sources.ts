import { readdirSync, watch } from "node:fs";
import type { Dirent, FSWatcher } from "node:fs";
import { join, relative } from "node:path";
import { isAbort } from "@levelset/core";
import type { Clock } from "@levelset/core";

/** Editors write a file in several steps; changes within this time are one. */
const SETTLE_MS = 100;
const SOURCE = /\.(ts|mts|js|mjs|json|yaml|yml)$/u;

/** The source files below a directory that change, one at a time, until the signal aborts. What changes meanwhile is told afterwards. */
export async function* watchSources(
  directory: string,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  const { clock, signal } = options;
  let changed: string | undefined;
  let wake = (): void => {};
  using tree = new WatchedTree((path) => {
    changed = relative(directory, path);
    wake();
  });
  tree.add(directory);
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    while (!signal.aborted) {
      if (changed === undefined) await new Promise<void>((resolve) => (wake = resolve));
      if (changed === undefined) continue;
      await clock.sleep(SETTLE_MS, signal);
      const path = changed;
      changed = undefined;
      yield path;
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Watches each directory of a tree by itself. Node's recursive watch follows files instead of names on Linux: once an editor has put a new
 * file in the place of the old one, as many do to save, it is blind for that name.
 */
class WatchedTree implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onChange: (path: string) => void;

  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange;
  }

  /** Watches a directory and those below it; answers with the sources that are there. */
  add(directory: string): readonly string[] {
    const entries = readDirectory(directory);
    if (entries === undefined || this.#watchers.has(directory)) return [];
    const watcher = watch(directory, (_, name) => {
      if (name !== null) this.#changed(join(directory, name), name);
    });
    watcher.on("error", () => this.#remove(directory));
    this.#watchers.set(directory, watcher);
    return entries
      .filter(({ name }) => isOurs(name))
      .flatMap((entry) => {
        const path = join(directory, entry.name);
        if (entry.isDirectory()) return this.add(path);
        return SOURCE.test(entry.name) ? [path] : [];
      });
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #changed(path: string, name: string): void {
    if (!isOurs(name)) return;
    if (SOURCE.test(name)) return this.#onChange(path);
    if (readDirectory(path) === undefined) return this.#remove(path);
    // What was written into a new directory before it was watched.
    const [first] = this.add(path);
    if (first !== undefined) this.#onChange(first);
  }

  #remove(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }
}

function isOurs(name: string): boolean {
  return name !== "node_modules" && name !== "dist" && !name.startsWith(".");
}

/** The entries of a directory; undefined where there is none. */
function readDirectory(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
