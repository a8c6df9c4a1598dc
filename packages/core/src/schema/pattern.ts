import { RE2JS } from "re2js";
import { LruCache } from "../json/index.ts";

/** A compiled regular expression, or the reason why it is invalid. */
export type CompiledPattern =
  | { readonly kind: "compiled"; readonly matches: (text: string) => boolean }
  | { readonly kind: "invalid"; readonly why: string };

/** Number of compiled patterns in the cache. */
const KEPT_MAX = 1_000;
const kept = new LruCache<string, CompiledPattern>(KEPT_MAX);

/** Compiles a regular expression with RE2 syntax and semantics. Matching takes linear time. */
export function compilePattern(pattern: string): CompiledPattern {
  return kept.getOrCreate(pattern, () => compile(pattern));
}

function compile(pattern: string): CompiledPattern {
  try {
    const expression = RE2JS.compile(pattern);
    return { kind: "compiled", matches: (text) => expression.test(text) };
  } catch (error) {
    return { kind: "invalid", why: error instanceof Error ? error.message : String(error) };
  }
}
