import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { piecesOf, wholeOf } from "./body.ts";

const MB = 1024 * 1024;

/** A body that nobody has read yet. */
function bodyOf(...pieces: readonly Uint8Array[]): PassThrough {
  const body = new PassThrough({ highWaterMark: 64 * MB });
  for (const piece of pieces) body.write(Uint8Array.from(piece));
  return body;
}

/** Copies of all pieces that still come. */
async function rest(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Uint8Array[] = [];
  for await (const piece of pieces) copies.push(Uint8Array.from(piece));
  return Buffer.concat(copies);
}

describe("a body", () => {
  test("is the same whole and piece by piece, however it was cut", async () => {
    const cuts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cuts, async (pieces) => {
        const bytes = Buffer.concat(pieces);
        expect(await rest(piecesOf(bodyOf(...pieces).end()))).toEqual(bytes);
        expect(Buffer.from(await wholeOf(bodyOf(...pieces).end()))).toEqual(bytes);
      }),
    );
  });

  test("makes its sender wait for a slow reader, and loses nothing", async () => {
    const body = bodyOf();
    const pieces = piecesOf(body);
    const first = pieces.next();
    for (let piece = 0; piece < 8; piece++) body.write(new Uint8Array(MB).fill(piece));
    expect((await first).value).toHaveLength(MB);
    await expect.poll(() => body.isPaused()).toBe(true);
    body.end();
    expect(await rest(pieces)).toHaveLength(7 * MB);
  });

  test("that breaks is a failure after what came before, also when it broke before anybody read", async () => {
    const broken = bodyOf(new Uint8Array(3));
    const pieces = piecesOf(broken);
    expect((await pieces.next()).value).toHaveLength(3);
    const next = pieces.next();
    broken.destroy(new Error("cut"));
    await expect(next).rejects.toThrow("cut");
    const closed = bodyOf();
    closed.destroy();
    await expect(piecesOf(closed).next()).rejects.toThrow("the connection was closed");
  });

  test("is let go of by a reader who stops early", async () => {
    const body = bodyOf(new Uint8Array(1), new Uint8Array(1));
    for await (const piece of piecesOf(body)) {
      expect(piece).toHaveLength(1);
      break;
    }
    expect(body.destroyed).toBe(true);
  });
});
