import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { HttpRequest } from "./http-handler.ts";
import { BodyTooLargeError, readBody } from "./read-body.ts";

const { signal } = new AbortController();

function request(body: HttpRequest["body"], length?: number): HttpRequest {
  const headers = { get: (name: string) => (name === "content-length" ? (length?.toString() ?? null) : null) };
  return { method: "POST", url: "http://localhost/", headers, body, signal };
}

const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 });

test("a body up to the limit is returned whole, and a larger one is rejected, from web and Node streams", async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.nat(150), async (parts, bytesMax) => {
      const whole = Buffer.concat(parts);
      for (const body of [ReadableStream.from(parts), Readable.from(parts, { objectMode: false })]) {
        const read = await readBody(request(body), bytesMax).catch((error: unknown) => error);
        expect(read).toEqual(whole.length <= bytesMax ? whole : new BodyTooLargeError(bytesMax));
      }
    }),
  );
});

test("a declared length above the limit is rejected before anything is read", async () => {
  const body = Readable.from([Buffer.from("x")]);
  await expect(readBody(request(body, 11), 10)).rejects.toThrow("the body exceeds 10 bytes");
  expect(body.readableDidRead).toBe(false);
});

test("a body that the client does not complete is rejected as aborted", async () => {
  const body = new Readable({ read: () => {} });
  const read = readBody(request(body), 10);
  body.push("x");
  body.destroy();
  await expect(read).rejects.toThrow("aborted");
});
