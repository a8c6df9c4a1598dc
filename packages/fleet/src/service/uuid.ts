import { randomInt } from "@levelset/core/internal";
import type { Clock, Random } from "@levelset/core";

const COUNTER_MAX = 0xfff;

/**
 * Generates UUIDv7s, which sort by creation time. IDs of one source are strictly increasing, even within a millisecond
 * and when the clock is set back.
 */
export class UuidSource {
  readonly #clock: Clock;
  readonly #random: Random;
  #ms = 0;
  #counter = 0;

  constructor(world: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = world.clock;
    this.#random = world.random;
  }

  next(): string {
    this.#step();
    const time = hex(this.#ms, 12);
    const variant = 0x8000 + randomInt(this.#random, 0, 0x3fff);
    const tail = hex(randomInt(this.#random, 0, 2 ** 24 - 1), 6) + hex(randomInt(this.#random, 0, 2 ** 24 - 1), 6);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(this.#counter, 3)}-${hex(variant, 4)}-${tail}`;
  }

  #step(): void {
    const now = this.#clock.now();
    if (now > this.#ms) {
      this.#ms = now;
      // Leaves half of the range for further IDs within the same millisecond.
      this.#counter = randomInt(this.#random, 0, COUNTER_MAX >> 1);
    } else if (this.#counter < COUNTER_MAX) this.#counter++;
    else {
      this.#ms++;
      this.#counter = 0;
    }
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
