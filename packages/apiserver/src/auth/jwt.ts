import { createHmac, timingSafeEqual } from "node:crypto";
import { isJsonObject } from "@levelset/core";
import { JsonError, parseJson, stringifyJson } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";

const HEADER = { alg: "HS256", typ: "JWT" };

/** Encodes claims as a JSON Web Token signed with `key`. */
export function signJwt(claims: JsonObject, key: Uint8Array): string {
  const signed = `${encoded(HEADER)}.${encoded(claims)}`;
  return `${signed}.${signature(signed, key).toString("base64url")}`;
}

/**
 * Returns the claims of a token signed with `key`; undefined if the signature is invalid. Does not check expiration.
 */
export function verifyJwt(token: string, key: Uint8Array): JsonObject | undefined {
  const [header = "", payload = "", given = "", ...more] = token.split(".");
  if (more.length > 0 || header !== encoded(HEADER)) return undefined;
  const expected = signature(`${header}.${payload}`, key);
  const actual = Buffer.from(given, "base64url");
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  return readClaims(Buffer.from(payload, "base64url").toString("utf8"));
}

function readClaims(text: string): JsonObject | undefined {
  try {
    const claims = parseJson(text);
    return isJsonObject(claims) ? claims : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function encoded(value: unknown): string {
  return Buffer.from(stringifyJson(value), "utf8").toString("base64url");
}

function signature(text: string, key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
