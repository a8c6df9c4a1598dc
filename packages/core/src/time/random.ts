/** The source of random numbers, passed in as a dependency: seeded in tests, the platform's generator otherwise. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
}

/** The platform's generator. Suitable for jitter and identifiers; secrets need a cryptographic source. */
export const realRandom: Random = { next: () => Math.random() };

/** Returns an integer from `min` to `max`, both inclusive. */
export function randomInt(random: Random, min: number, max: number): number {
  return min + Math.floor(random.next() * (max - min + 1));
}

/** Returns `ms` varied by up to `fraction` in both directions, so that many clients do not act at the same time. */
export function jitter(random: Random, ms: number, fraction: number): number {
  return ms * (1 + fraction * (2 * random.next() - 1));
}

/** Returns a random string of `length` characters from `alphabet`. */
export function randomString(random: Random, length: number, alphabet: string): string {
  let text = "";
  for (let at = 0; at < length; at += 1) text += alphabet[randomInt(random, 0, alphabet.length - 1)];
  return text;
}

/** Returns a version 4 UUID. */
export function randomUuid(random: Random): string {
  const hex = randomString(random, 32, "0123456789abcdef");
  const variant = "89ab"[randomInt(random, 0, 3)];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
