import { textProblem } from "@levelset/core";

/** The most characters of an identity. */
const IDENTITY_MAX = 256;

/** Who a token or a gateway says it is; or that it says nothing, or nothing that can be kept. */
export type FoundIdentity =
  | { readonly kind: "identity"; readonly identity: string }
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly why: string };

const CONTROL = /\p{Cc}/u;

/** Looks at a text that says who it is. */
export function identityFrom(text: string): FoundIdentity {
  const identity = text.trim();
  if (identity === "") return { kind: "none" };
  if (Array.from(identity).length > IDENTITY_MAX) {
    return { kind: "invalid", why: `the identity must be at most ${IDENTITY_MAX} characters` };
  }
  if (CONTROL.test(identity)) return { kind: "invalid", why: "the identity must not have control characters" };
  const problem = textProblem(identity);
  return problem === undefined ? { kind: "identity", identity } : { kind: "invalid", why: `the identity ${problem}` };
}
