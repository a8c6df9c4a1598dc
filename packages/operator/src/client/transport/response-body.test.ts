import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readChunks, readAll } from "./response-body.ts";

const MB = 1024 * 1024;

/** Returns an unread body with these chunks. */
function bodyOf(...pieces: readonly Uint8Array[]): PassThrough {
  const body = new PassThrough({ highWaterMark: 64 * MB });
  for (const piece of pieces) body.write(Uint8Array.from(piece));
  return body;
}

/** Returns copies of all remaining chunks. */
async function rest(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Uint8Array[] = [];
  for await (const piece of pieces) copies.push(Uint8Array.from(piece));
  return Buffer.concat(copies);
}

describe("a body", () => {
  test("is the same as a whole and in chunks of any size", async () => {
    const cuts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cuts, async (pieces) => {
        const bytes = Buffer.concat(pieces);
        expect(await rest(readChunks(bodyOf(...pieces).end()))).toEqual(bytes);
        expect(Buffer.from(await readAll(bodyOf(...pieces).end()))).toEqual(bytes);
      }),
    );
  });

  test("applies backpressure for a slow reader and loses no data", async () => {
    const body = bodyOf();
    const pieces = readChunks(body);
    const first = pieces.next();
    for (let piece = 0; piece < 8; piece++) body.write(new Uint8Array(MB).fill(piece));
    expect((await first).value).toHaveLength(MB);
    await expect.poll(() => body.isPaused()).toBe(true);
    body.end();
    expect(await rest(pieces)).toHaveLength(7 * MB);
  });

  test("that fails rejects after the data before the failure, even if it failed before the first read", async () => {
    const broken = bodyOf(new Uint8Array(3));
    const pieces = readChunks(broken);
    expect((await pieces.next()).value).toHaveLength(3);
    const next = pieces.next();
    broken.destroy(new Error("cut"));
    await expect(next).rejects.toThrow("cut");
    const closed = bodyOf();
    closed.destroy();
    await expect(readChunks(closed).next()).rejects.toThrow("the connection was closed");
  });

  test("is destroyed when the reader stops early", async () => {
    const body = bodyOf(new Uint8Array(1), new Uint8Array(1));
    for await (const piece of readChunks(body)) {
      expect(piece).toHaveLength(1);
      break;
    }
    expect(body.destroyed).toBe(true);
  });
});
