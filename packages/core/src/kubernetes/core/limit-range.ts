import { builtIn, s, requiredString, optional, resourceList } from "../field-builders.ts";

/** Resource limits and defaults of each object in a namespace. */
export const LimitRange = builtIn({
  group: "",
  version: "v1",
  kind: "LimitRange",
  description: "Limits and defaults for the resource usage of each object in a namespace.",
  shortNames: ["limits"],
  fields: {
    spec: optional(
      s.object({
        limits: s
          .array(
            s.object({
              type: requiredString("Type of the limited object: Container, Pod or PersistentVolumeClaim."),
              max: resourceList("Maximum per object."),
              min: resourceList("Minimum per object."),
              default: resourceList("Limits of a container that names none."),
              defaultRequest: resourceList("Requests of a container that names none."),
              maxLimitRequestRatio: resourceList("Maximum ratio of limit to request."),
            }),
          )
          .atomic()
          .describe("The bounds."),
      }),
      "The bounds.",
    ),
  },
});
