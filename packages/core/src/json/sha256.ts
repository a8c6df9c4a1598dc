/** Rotates the bits of a 32-bit word to the right. */
function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fraction of a root, from which the constants of SHA-2 are derived. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}

const BLOCK = 64;
const ROUNDS = 64;
const START: readonly number[] = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND_CONSTANTS: readonly number[] = primes(ROUNDS).map((prime) => fraction(Math.cbrt(prime)));

/** Returns the SHA-256 of bytes. Synchronous and portable, unlike the digests of the platforms. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = padded(bytes);
  const state = Int32Array.from(START);
  const schedule = new DataView(new ArrayBuffer(4 * ROUNDS));
  for (let at = 0; at < blocks.byteLength; at += BLOCK) {
    expand(new DataView(blocks.buffer, at, BLOCK), schedule);
    mix(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(4 * state.length));
  for (const [place, word] of state.entries()) digest.setInt32(4 * place, word);
  return new Uint8Array(digest.buffer);
}

/** Pads the message to whole blocks: the bytes, a single bit, zeros, and the length in bits. */
function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n);
  return blocks;
}

/** Computes the message schedule of a block. */
function expand(block: DataView, schedule: DataView): void {
  for (let at = 0; at < BLOCK; at += 4) schedule.setInt32(at, block.getInt32(at));
  for (let at = BLOCK; at < 4 * ROUNDS; at += 4) {
    const [early, late] = [schedule.getInt32(at - 60), schedule.getInt32(at - 8)];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule.setInt32(at, schedule.getInt32(at - 64) + first + schedule.getInt32(at - 28) + second);
  }
}

function mix(state: Int32Array, schedule: DataView): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < ROUNDS; round++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const word = (ROUND_CONSTANTS[round] ?? 0) + schedule.getInt32(4 * round);
    const upper = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + word;
    const lower = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    // Single assignments: this is the inner loop, and destructuring would allocate a list per round.
    h = g;
    g = f;
    f = e;
    e = (d + upper) | 0;
    d = c;
    c = b;
    b = a;
    a = (upper + lower) | 0;
  }
  for (const [place, word] of [a, b, c, d, e, f, g, h].entries()) state[place] = (state[place] ?? 0) + word;
}
