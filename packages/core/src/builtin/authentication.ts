import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import {
  builtIn,
  optionalBoolean,
  requiredString,
  int64,
  optional,
  s,
  optionalString,
  optionalStrings,
} from "./field-builders.ts";

const GROUP = "authentication.k8s.io";

const userInfoFields = {
  username: optionalString("The name."),
  uid: optionalString("Identity, across users of the same name."),
  groups: optionalStrings("The groups."),
  extra: optional(s.map(s.array(s.string()).atomic()), "Extra attributes."),
};

/** An authenticated user. */
export interface UserInfo extends ObjectIn<typeof userInfoFields> {}

const userInfo: ObjectSchema<UserInfo, UserInfo> = s.object(userInfoFields);

/** Authenticates a token. */
export const TokenReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "TokenReview",
  description: "Authenticates a token.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        token: optionalString("The token."),
        audiences: optionalStrings("Audiences that the token must have; defaults to the server."),
      })
      .describe("The token."),
    status: optional(
      s.object({
        authenticated: optionalBoolean("Whether the token is valid."),
        user: optional(userInfo, "User of the token."),
        audiences: optionalStrings("Audiences that both the request and the token have."),
        error: optionalString("Error of the token check."),
      }),
      "The result.",
    ),
  },
});

/** Returns the identity of the current user. */
export const SelfSubjectReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "SelfSubjectReview",
  description: "Returns the identity of the current user.",
  scope: "Cluster",
  fields: { status: optional(s.object({ userInfo: optional(userInfo, "The current user.") }), "The result.") },
});

/** Requests a token of a service account. */
export const TokenRequest = builtIn({
  group: GROUP,
  version: "v1",
  kind: "TokenRequest",
  description: "Requests a token of a service account.",
  fields: {
    spec: s
      .object({
        audiences: s.array(s.string()).atomic().describe("Audiences of the token; defaults to the server.").optional(),
        expirationSeconds: int64("Lifetime in seconds; defaults to one hour."),
        boundObjectRef: optional(
          s.object({
            kind: optionalString("Pod, Secret or Node."),
            apiVersion: optionalString("Group and version of the object."),
            name: optionalString("Name of the object."),
            uid: optionalString("Identity of the object."),
          }),
          "Object that the token is bound to.",
        ),
      })
      .describe("Audiences, lifetime and bound object of the token."),
    status: optional(
      s.object({
        token: requiredString("The token."),
        expirationTimestamp: s.dateTime().describe("When the token expires."),
      }),
      "The token.",
    ),
  },
});
