import { compilePattern, InputError } from "@levelset/core";
import type { CompiledPattern } from "@levelset/core";

/** A test of whole texts against a pattern of RE2, which takes linear time. Throws an InputError that names the field if it is none. */
export function wholePattern(pattern: string, field: string): (text: string) => boolean {
  // First alone: a stray parenthesis must not pair up with ours.
  compiled(pattern, field);
  return compiled(`\\A(?:${pattern})\\z`, field).matches;
}

function compiled(pattern: string, field: string): Extract<CompiledPattern, { readonly kind: "compiled" }> {
  const found = compilePattern(pattern);
  if (found.kind === "invalid") throw new InputError(`${field}: ${found.why}`);
  return found;
}
