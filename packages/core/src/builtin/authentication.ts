import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, flag, given, int64, optional, s, text, texts } from "./field.ts";

const GROUP = "authentication.k8s.io";

const userInfoFields = {
  username: text("The name."),
  uid: text("Identity, across users of the same name."),
  groups: texts("The groups."),
  extra: optional(s.map(s.array(s.string()).atomic()), "What else is known."),
};

/** A user, as the server sees one. */
export interface UserInfo extends ObjectIn<typeof userInfoFields> {}

const userInfo: ObjectSchema<UserInfo, UserInfo> = s.object(userInfoFields);

/** Asks whose token it is. */
export const TokenReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "TokenReview",
  description: "Asks whose token it is.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        token: text("The token."),
        audiences: texts("Whom the token must be meant for; the server unless given."),
      })
      .describe("The token."),
    status: optional(
      s.object({
        authenticated: flag("Whether the token is good."),
        user: optional(userInfo, "Whose it is."),
        audiences: texts("Those of the audiences that it is meant for."),
        error: text("What is wrong with the token."),
      }),
      "The answer.",
    ),
  },
});

/** Asks who the asker is. */
export const SelfSubjectReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "SelfSubjectReview",
  description: "Asks who the asker is.",
  scope: "Cluster",
  fields: { status: optional(s.object({ userInfo: optional(userInfo, "The asker.") }), "The answer.") },
});

/** Asks for a token of a service account. */
export const TokenRequest = builtIn({
  group: GROUP,
  version: "v1",
  kind: "TokenRequest",
  description: "Asks for a token of a service account.",
  fields: {
    spec: s
      .object({
        audiences: s
          .array(s.string())
          .atomic()
          .describe("Whom the token is meant for; the server unless given.")
          .optional(),
        expirationSeconds: int64("Seconds it is to be good for; an hour unless given."),
        boundObjectRef: optional(
          s.object({
            kind: text("Pod, Secret or Node."),
            apiVersion: text("Group and version of the object."),
            name: text("Name of the object."),
            uid: text("Identity of the object."),
          }),
          "An object that the token goes with.",
        ),
      })
      .describe("What the token is for."),
    status: optional(
      s.object({
        token: given("The token."),
        expirationTimestamp: s.dateTime().describe("When it ends."),
      }),
      "The token.",
    ),
  },
});
