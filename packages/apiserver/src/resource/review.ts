import type { Authorizer, RequestUser, TokenAuthenticator } from "../auth/index.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";

/** Context of a review. */
export interface ReviewContext {
  /** Namespace of the request path; empty for cluster-scoped reviews. */
  readonly namespace: string;
  readonly user: RequestUser;
  readonly authorizer: Authorizer;
  readonly tokens: TokenAuthenticator;
}

/** Evaluates a review and returns it with its `status`. Throws Invalid and BadRequest. */
export type Reviewer = (draft: UnvalidatedObject, context: ReviewContext) => Readonly<Record<string, unknown>>;

/** What a create does with an object that is never stored. */
export type VirtualCreate = { readonly kind: "review"; readonly review: Reviewer } | { readonly kind: "binding" };
