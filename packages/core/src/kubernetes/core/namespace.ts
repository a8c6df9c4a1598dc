import { phaseReadiness } from "../../readiness-rule/index.ts";
import { builtIn, s, withPatchStrategy, optionalStrings } from "../field-builders.ts";
import { conditions } from "../meta.ts";

/** A namespace for object names. */
export const Namespace = builtIn({
  group: "",
  version: "v1",
  kind: "Namespace",
  description: "A namespace for object names.",
  shortNames: ["ns"],
  scope: "Cluster",
  readiness: { of: phaseReadiness(["Active"], []) },
  fields: {
    spec: s
      .object({ finalizers: optionalStrings("Finalizers that must be removed before the namespace is deleted.") })
      .describe("The desired state.")
      .optional(),
    status: s
      .object({
        phase: s.enum("Active", "Terminating").describe("Whether it is terminating.").optional(),
        conditions: withPatchStrategy("merge", conditions.describe("Conditions.").optional(), "type"),
      })
      .describe("Its status.")
      .optional(),
  },
});
