import { builtIn, s, optionalBoolean, optional, optionalString, optionalStrings } from "../field-builders.ts";
import { userInfo } from "./user-info.ts";

/** Authenticates a token. */
export const TokenReview = builtIn({
  group: "authentication.k8s.io",
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
