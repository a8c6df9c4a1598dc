import type { RequestUser } from "./user.ts";

/** Attributes of a request to authorize: a verb on a resource, or on a non-resource path. */
export type AccessRequest =
  | {
      readonly kind: "resource";
      readonly user: RequestUser;
      readonly verb: string;
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly kind: "path"; readonly user: RequestUser; readonly verb: string; readonly path: string };

/** Authorization decision. `none` means no opinion: not allowed, but not explicitly denied either. */
export interface AccessDecision {
  readonly kind: "allowed" | "denied" | "none";
  readonly reason: string;
}

/** Everything that a user may do in a namespace: the status of a SelfSubjectRulesReview. */
export interface SubjectRules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
  readonly incomplete: boolean;
}

/** Authorizes requests. */
export interface Authorizer {
  authorize(request: AccessRequest): AccessDecision;
  rulesFor(user: RequestUser, namespace: string): SubjectRules;
}

const ANYTHING: SubjectRules = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};

/** Allows every authenticated request. */
export const ALLOW_ALL: Authorizer = {
  authorize: () => ({ kind: "allowed", reason: "" }),
  rulesFor: () => ANYTHING,
};
