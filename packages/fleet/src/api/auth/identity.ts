import { textProblem } from "@levelset/core/internal";

/** The maximum length of an identity. */
const IDENTITY_MAX = 256;

/** The identity in a token or gateway header; or none, or an invalid one. */
export type IdentityResult =
  | { readonly kind: "identity"; readonly identity: string }
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly why: string };

const CONTROL = /\p{Cc}/u;

/** Validates an identity. */
export function parseIdentity(text: string): IdentityResult {
  const identity = text.trim();
  if (identity === "") return { kind: "none" };
  if (Array.from(identity).length > IDENTITY_MAX) {
    return { kind: "invalid", why: `the identity must be at most ${IDENTITY_MAX} characters` };
  }
  if (CONTROL.test(identity)) return { kind: "invalid", why: "the identity must not have control characters" };
  const problem = textProblem(identity);
  return problem === undefined ? { kind: "identity", identity } : { kind: "invalid", why: `the identity ${problem}` };
}
