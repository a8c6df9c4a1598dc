import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8, storableText, textProblem, truncateText } from "./text.ts";

test.each([
  ["", undefined],
  ["Grüße 😀 \ufffd \u2028", undefined],
  ["a\0b", "must not contain the character U+0000 (found at position 1)"],
  ["a\ud800b", "must be well-formed Unicode (found the lone surrogate U+D800 at position 1)"],
  ["a\udcff", "must be well-formed Unicode (found the byte 0xFF or the lone surrogate U+DCFF at position 1)"],
  ["😀\udc00", "must be well-formed Unicode (found the lone surrogate U+DC00 at position 2)"],
])("the problem with %j is reported with its position", (text, problem) => {
  expect(textProblem(text)).toBe(problem);
});

test("a text round-trips through UTF-8 if and only if it has no problem", () => {
  const texts = fc.string({ unit: fc.nat(0xff_ff).map((code) => String.fromCharCode(code)) });
  const property = fc.property(texts, (text) => {
    const survives = Buffer.from(text).toString() === text && !text.includes("\0");
    expect(textProblem(text) === undefined).toBe(survives);
    expect(textProblem(storableText(text))).toBeUndefined();
    expect(storableText(text) === text).toBe(survives);
  });
  fc.assert(property);
});

test("a truncated text is a prefix that does not split a character", () => {
  const property = fc.property(fc.string({ unit: fc.constantFrom("a", "é", "😀") }), fc.nat(12), (text, max) => {
    const short = truncateText(text, max);
    expect(text.startsWith(short)).toBe(true);
    expect(short.isWellFormed()).toBe(true);
    expect(short.length).toBeLessThanOrEqual(max);
    expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1);
  });
  fc.assert(property);
});

test("valid UTF-8 is decoded, and invalid UTF-8 gives a text with a problem at the first invalid byte", () => {
  const property = fc.property(fc.uint8Array({ max: 0xff, maxLength: 12 }), fc.string(), (bytes, before) => {
    const all = Buffer.concat([Buffer.from(before), bytes]);
    const decoded = decodeUtf8(all);
    const isUtf8 = Buffer.from(all.toString()).equals(all);
    expect(decoded.isWellFormed()).toBe(isUtf8);
    expect(decoded.startsWith(before)).toBe(true);
    expect(decoded === all.toString()).toBe(isUtf8);
  });
  fc.assert(property);
  expect(decodeUtf8(Buffer.from([0xef, 0xbf, 0xbd, 0x61, 0xff, 0x62]))).toBe("\ufffda\udcffb");
  expect(decodeUtf8(Buffer.from([0x61, 0xed, 0xa0, 0x80]))).toBe("a\udced\ufffd\ufffd");
  expect(decodeUtf8(Buffer.from([0xef, 0xbb, 0xbf, 0x61]))).toBe("\ufeffa");
});
