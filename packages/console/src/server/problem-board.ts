import { deepEqual } from "@levelset/core";
import type { Problem, SourceName } from "../api/index.ts";
import { problemOf } from "./problem-of.ts";

/** What cannot be looked at right now. */
export class ProblemBoard {
  readonly #problems = new Map<string, Problem>();
  readonly #listeners = new Set<() => void>();

  list(): readonly Problem[] {
    return [...this.#problems.values()];
  }

  /** Takes note of a failure; the latest one about something counts. */
  fail(source: SourceName, about: string, error: unknown): void {
    const [id, problem] = [idOf(source, about), problemOf(error, source, about)];
    if (deepEqual(this.#problems.get(id), problem)) return;
    this.#problems.set(id, problem);
    this.#tell();
  }

  /** Takes note that something can be looked at again. */
  clear(source: SourceName, about: string): void {
    if (this.#problems.delete(idOf(source, about))) this.#tell();
  }

  /** Calls after every change, until the answer is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function idOf(source: SourceName, about: string): string {
  return `${source}/${about}`;
}
