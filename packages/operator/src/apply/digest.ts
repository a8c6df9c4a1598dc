import { hash } from "node:crypto";
import { canonicalJson } from "@levelset/core";

/** How many hexadecimal digits `hashOf` keeps. */
const DIGITS = 32;

/** What `hashOf` of core gives, by the digest that Node brings along: for a thousand objects, or a large one, that matters. */
export function digestOf(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex").slice(0, DIGITS);
}
