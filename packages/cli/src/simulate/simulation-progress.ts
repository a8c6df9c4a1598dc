import type { Clock } from "@levelset/core";
import { describeDuration, TerminalFrame } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";

/** How far a simulation is. */
export interface ProgressState {
  readonly finished: number;
  readonly total: number;
  readonly failures: number;
  readonly elapsedMs: number;
}

/** Formats progress: `420 of 1000 histories, 38/s, about 15 s left, no failure`. */
export function progressText({ finished, total, failures, elapsedMs }: ProgressState): string {
  const perSecond = rate(finished, elapsedMs);
  const left = finished === 0 ? [] : [`about ${describeDuration(((total - finished) / finished) * elapsedMs)} left`];
  const found = failures === 0 ? "no failure" : `${failures} ${failures === 1 ? "failure" : "failures"}`;
  return [`${finished} of ${total} histories`, `${perSecond}/s`, ...left, found].join(", ");
}

/** Returns the number per second, with one decimal below 10. */
export function rate(count: number, elapsedMs: number): string {
  const perSecond = elapsedMs === 0 ? 0 : (count * 1_000) / elapsedMs;
  return perSecond < 10 ? perSecond.toFixed(1) : perSecond.toFixed(0);
}

/** Time between two lines of progress without a terminal. */
const LINE_MS = 10_000;
/** Time between two redraws on a terminal. */
const REDRAW_MS = 100;

/** Prints progress to stderr: one line that is redrawn on a terminal, else a line at intervals. */
export class SimulationProgress implements Disposable {
  readonly #shell: Shell;
  readonly #frame: TerminalFrame | undefined;
  readonly #clock: Clock;
  #printedAt: number;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#clock = shell.clock;
    this.#frame = shell.terminal === undefined ? undefined : new TerminalFrame(shell.stderr);
    this.#printedAt = shell.clock.monotonic();
  }

  update(state: ProgressState): void {
    const now = this.#clock.monotonic();
    if (now - this.#printedAt < (this.#frame === undefined ? LINE_MS : REDRAW_MS)) return;
    this.#printedAt = now;
    const text = progressText(state);
    if (this.#frame === undefined) return this.#shell.stderr(`${text}\n`);
    this.#frame.draw(`${text.slice(0, (this.#shell.terminal?.columns ?? 80) - 1)}\n`);
  }

  [Symbol.dispose](): void {
    this.#frame?.draw("");
  }
}
