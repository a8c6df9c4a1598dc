import { expect, test } from "vitest";
import { decodeBase64, encodeBase64 } from "./index.ts";

test("base64 is decoded with or without padding, and rejected otherwise", () => {
  for (const text of ["", "a", "ab", "abc", "abcd"]) {
    const bytes = new TextEncoder().encode(text);
    const encoded = encodeBase64(bytes);
    expect(encoded).toBe(btoa(text));
    expect(decodeBase64(encoded)).toEqual(bytes);
    expect(decodeBase64(encoded.replaceAll("=", ""))).toEqual(bytes);
  }
  for (const text of ["a", "a===", "=", "a*b="]) expect(decodeBase64(text)).toBeUndefined();
});
