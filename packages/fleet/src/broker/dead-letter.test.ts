import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeDeadLetter, encodeDeadLetter } from "./dead-letter.ts";
import type { DeadLetter } from "./dead-letter.ts";

test("the metadata of a dead letter survives encoding as one line of ASCII", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), fc.uint8Array(), fc.nat(), (error, key, body, at) => {
      const deadLetter: DeadLetter = { id: "l1", reason: "exhausted", error, attempts: 3, at, key, body };
      const header = encodeDeadLetter(deadLetter);
      expect(header).toMatch(/^[\x20-\x7e]*$/u);
      expect(decodeDeadLetter(body, header)).toEqual(deadLetter);
    }),
  );
});

test("a dead letter without a readable header was dead-lettered by the server", () => {
  const body = Uint8Array.of(1, 2, 3);
  for (const header of [undefined, "not JSON", "[]", '{"reason":"other","id":7}'])
    expect(decodeDeadLetter(body, header)).toMatchObject({
      reason: "undeliverable",
      error: "dead-lettered by the server",
      body,
    });
  expect(decodeDeadLetter(body, undefined).id).toBe(decodeDeadLetter(body, "{}").id);
});
