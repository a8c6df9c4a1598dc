import { builtIn, s, requiredString, int64, optional, optionalString } from "../field-builders.ts";

/** Requests a token of a service account. */
export const TokenRequest = builtIn({
  group: "authentication.k8s.io",
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
