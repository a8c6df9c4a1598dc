import type { RequestUser } from "./user.ts";

/** What somebody wants to do: something to objects, or something with another path. */
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

/** Whether it may be done. `none`: nobody said so, which is a no without a ban. */
export interface AccessDecision {
  readonly kind: "allowed" | "denied" | "none";
  readonly reason: string;
}

/** Everything that a user may do in a namespace, as SelfSubjectRulesReview lists it. */
export interface AccessRules {
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

/** Decides who may do what. */
export interface Authorizer {
  decide(request: AccessRequest): AccessDecision;
  rulesFor(user: RequestUser, namespace: string): AccessRules;
}

const ANYTHING: AccessRules = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};

/** Who has been let in may do everything. */
export const ALLOW_ALL: Authorizer = {
  decide: () => ({ kind: "allowed", reason: "" }),
  rulesFor: () => ANYTHING,
};
