import { compilePattern } from "@levelset/core/internal";
import { InputError } from "@levelset/core";
import type { CompiledPattern } from "@levelset/core/internal";

/**
 * Returns a predicate that matches whole strings against an RE2 pattern in linear time. Throws an `InputError` that
 * names the field if the pattern is invalid.
 */
export function fullMatchPattern(pattern: string, field: string): (text: string) => boolean {
  // Compiled alone first: an unbalanced parenthesis must not pair with ours.
  compiled(pattern, field);
  return compiled(`\\A(?:${pattern})\\z`, field).matches;
}

function compiled(pattern: string, field: string): Extract<CompiledPattern, { readonly kind: "compiled" }> {
  const found = compilePattern(pattern);
  if (found.kind === "invalid") throw new InputError(`${field}: ${found.why}`);
  return found;
}
