import { builtIn, s, optionalBoolean, requiredString, optional, withPatchStrategy } from "../field-builders.ts";
import { localObjectReference, objectReferenceFields } from "./reference.ts";

/** An identity for pods. */
export const ServiceAccount = builtIn({
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  description: "An identity for pods.",
  shortNames: ["sa"],
  fields: {
    secrets: withPatchStrategy(
      "merge",
      optional(
        s
          .array(s.object({ ...objectReferenceFields, name: requiredString("Name of the secret.") }).atomic())
          .keyedBy("name"),
        "Secrets its pods may use.",
      ),
      "name",
    ),
    imagePullSecrets: optional(s.array(localObjectReference).atomic(), "Secrets for fetching images of its pods."),
    automountServiceAccountToken: optionalBoolean("Whether a token is mounted into its pods."),
  },
});
