import { builtIn, s, optional, optionalString } from "../field-builders.ts";

/** How many of something there are, and how many there should be. */
export const Scale = builtIn({
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  description: "Actual and desired number of replicas.",
  fields: {
    spec: optional(
      s.object({ replicas: s.int32().describe("Desired number of replicas.").optional() }),
      "The request.",
    ),
    status: optional(
      s.object({
        replicas: s.int32().describe("Actual number of replicas."),
        selector: optionalString("The pods, as a label selector in a query."),
      }),
      "The current state.",
    ),
  },
});
