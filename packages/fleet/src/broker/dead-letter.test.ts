import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLetter, encodeLetter } from "./dead-letter.ts";
import type { DeadLetter } from "./dead-letter.ts";

test("what is known of a letter survives as one line of ASCII", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), fc.uint8Array(), fc.nat(), (error, key, body, at) => {
      const letter: DeadLetter = { id: "l1", reason: "exhausted", error, attempts: 3, at, key, body };
      const header = encodeLetter(letter);
      expect(header).toMatch(/^[\x20-\x7e]*$/u);
      expect(decodeLetter(body, header)).toEqual(letter);
    }),
  );
});

test("a letter without a note, or with a foreign one, was put aside by the server", () => {
  const body = Uint8Array.of(1, 2, 3);
  for (const header of [undefined, "not JSON", "[]", '{"reason":"other","id":7}'])
    expect(decodeLetter(body, header)).toMatchObject({
      reason: "undeliverable",
      error: "put aside by the server",
      body,
    });
  expect(decodeLetter(body, undefined).id).toBe(decodeLetter(body, "{}").id);
});
