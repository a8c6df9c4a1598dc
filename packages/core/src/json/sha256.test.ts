import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

/** Compares with the platform's implementation. */
async function check(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  expect(sha256(bytes)).toEqual(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

test("the digest matches the platform's implementation", async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) => check(new Uint8Array(bytes))));
  expect(sha256(new Uint8Array()).slice(0, 4)).toEqual(Uint8Array.of(0xe3, 0xb0, 0xc4, 0x42));
});

test("lengths around block boundaries are padded correctly", async () => {
  for (let length = 0; length <= 130; length++) await check(new Uint8Array(length).fill(length));
  expect(sha256(new Uint8Array(64)).length).toBe(32);
});
