import { kind, s } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";
import type { Random } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";

/** An object of any size: a ConfigMap is limited to 1 MiB. */
export const Blob = kind({
  group: "transport.levelset.dev",
  version: "v1",
  kind: "Blob",
  spec: s.object({ text: s.string() }),
});

export const BLOBS = "/apis/transport.levelset.dev/v1/namespaces/default/blobs";

/** With its envelope, the largest text is just below the request limit of 3 MiB. */
const TEXT_MAX = 2_900_000;

/** One write of a blob: a create, or a merge patch of its text. */
export interface BlobWrite {
  readonly verb: "create" | "patch";
  readonly name: string;
  readonly text: string;
}

/** The writes of one object in order; a read returns the last one. */
export interface BlobWrites {
  readonly name: string;
  readonly writes: readonly BlobWrite[];
}

/** An object is created and then patched up to seven times. */
const WRITES_MAX = 8;

/** Plans `count` writes. Sizes are log-uniform from 1 byte to 2.9 MB: as many below 2 KB as above. */
export function planWrites(seed: number, count: number): readonly BlobWrites[] {
  const random = seededRandom(seed);
  const texts = new Texts(random);
  const blobs: BlobWrites[] = [];
  for (let left = count; left > 0;) {
    const name = `b-${blobs.length}`;
    const length = Math.min(left, randomInt(random, 1, WRITES_MAX));
    const verbOf = (index: number): BlobWrite["verb"] => (index === 0 ? "create" : "patch");
    blobs.push({
      name,
      writes: Array.from({ length }, (_, index) => ({ verb: verbOf(index), name, text: texts.next() })),
    });
    left -= length;
  }
  return blobs;
}

/** Aperiodic texts, so that a lost, repeated or moved chunk changes them. They share one buffer. */
class Texts {
  readonly #random: Random;
  readonly #source: string;

  constructor(random: Random) {
    this.#random = random;
    const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";
    const words = Array.from({ length: 2 * TEXT_MAX }, () => alphabet[randomInt(random, 0, alphabet.length - 1)]);
    this.#source = words.join("");
  }

  next(): string {
    const size = Math.max(1, Math.round(Math.exp(this.#random.next() * Math.log(TEXT_MAX))));
    const start = randomInt(this.#random, 0, TEXT_MAX);
    return this.#source.slice(start, start + size);
  }
}
