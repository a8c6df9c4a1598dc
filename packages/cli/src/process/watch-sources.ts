import { readdirSync, watch } from "node:fs";
import type { Dirent, FSWatcher } from "node:fs";
import { join, relative } from "node:path";
import { isAbortError } from "@levelset/core";
import { onAbort } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";

/** Editors write a file in several steps; changes within this time are one. */
const SETTLE_MS = 100;
const SOURCE = /\.(ts|mts|js|mjs|json|yaml|yml)$/u;

/** Yields changed source files of a directory tree until the signal aborts. Changes between reads are buffered. */
export async function* watchSources(
  directory: string,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  const { clock, signal } = options;
  let changed: string | undefined;
  let notify = (): void => {};
  using tree = new WatchedTree((path) => {
    changed = relative(directory, path);
    notify();
  });
  tree.add(directory);
  using _ = onAbort(signal, () => notify());
  try {
    while (!signal.aborted) {
      if (changed === undefined) await new Promise<void>((resolve) => (notify = resolve));
      if (changed === undefined) continue;
      await clock.sleep(SETTLE_MS, signal);
      const path = changed;
      changed = undefined;
      yield path;
    }
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

/**
 * Watches each directory of a tree separately. On Linux, the recursive `fs.watch` of Node watches inodes: after an
 * editor has replaced a file by a new one, it does not report further changes of that path.
 */
class WatchedTree implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onChange: (path: string) => void;

  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange;
  }

  /** Watches a directory tree and returns its source files. */
  add(directory: string): readonly string[] {
    const entries = readDirectory(directory);
    if (entries === undefined || this.#watchers.has(directory)) return [];
    const watcher = watch(directory, (_, name) => {
      if (name !== null) this.#changed(join(directory, name), name);
    });
    watcher.on("error", () => this.#remove(directory));
    this.#watchers.set(directory, watcher);
    return entries
      .filter(({ name }) => isWatched(name))
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
    if (!isWatched(name)) return;
    if (SOURCE.test(name)) return this.#onChange(path);
    if (readDirectory(path) === undefined) return this.#remove(path);
    // Files written to a new directory before the watch started.
    const [first] = this.add(path);
    if (first !== undefined) this.#onChange(first);
  }

  #remove(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }
}

function isWatched(name: string): boolean {
  return name !== "node_modules" && name !== "dist" && !name.startsWith(".");
}

/** Returns the entries of a directory, or undefined if it does not exist. */
function readDirectory(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
