import type { Clock, Timer } from "@levelset/core";

/** Calls a function after each interval until disposed. */
export class Repeat implements Disposable {
  #timer: Timer;

  constructor(clock: Clock, ms: number, callback: () => void) {
    const next = (): void => {
      this.#timer = clock.after(ms, next);
      callback();
    };
    this.#timer = clock.after(ms, next);
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }
}
