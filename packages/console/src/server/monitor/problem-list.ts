import { deepEqual } from "@levelset/core/internal";
import type { Problem, SourceName } from "../../api/index.ts";
import { problemOf } from "../problem-of.ts";

/** Current problems. */
export class ProblemList {
  readonly #problems = new Map<string, Problem>();
  readonly #listeners = new Set<() => void>();

  /** Returns the current problems. */
  list(): readonly Problem[] {
    return [...this.#problems.values()];
  }

  /** Records a failure; replaces the previous one of the same subject. */
  report(source: SourceName, about: string, error: unknown): void {
    const [id, problem] = [idOf(source, about), problemOf(error, source, about)];
    if (deepEqual(this.#problems.get(id), problem)) return;
    this.#problems.set(id, problem);
    this.#notify();
  }

  /** Clears the failure of a subject. */
  clear(source: SourceName, about: string): void {
    if (this.#problems.delete(idOf(source, about))) this.#notify();
  }

  /** Calls the listener after every change; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function idOf(source: SourceName, about: string): string {
  return `${source}/${about}`;
}
