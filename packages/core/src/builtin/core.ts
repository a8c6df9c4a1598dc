import {
  builtIn,
  optionalBoolean,
  requiredString,
  optional,
  withPatchStrategy,
  resourceList,
  s,
  optionalString,
  optionalStringMap,
  optionalStrings,
} from "./field-builders.ts";
import { conditions } from "./meta.ts";

/** Confidential values by key. They must never be logged or shown. */
export const Secret = builtIn({
  group: "",
  version: "v1",
  kind: "Secret",
  description: "Confidential values by key.",
  fields: {
    data: s.map(s.string().format("byte")).describe("The values, in base64.").optional(),
    stringData: optionalStringMap("Values in clear text, for writing only; merged into data."),
    type: optionalString("Type of the secret; defaults to Opaque."),
    immutable: optionalBoolean("Whether data is immutable."),
  },
});

/** Configuration by key. */
export const ConfigMap = builtIn({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  description: "Configuration by key.",
  shortNames: ["cm"],
  fields: {
    data: optionalStringMap("The values."),
    binaryData: s.map(s.string().format("byte")).describe("Binary values in base64.").optional(),
    immutable: optionalBoolean("Whether data is immutable."),
  },
});

/** A namespace for object names. */
export const Namespace = builtIn({
  group: "",
  version: "v1",
  kind: "Namespace",
  description: "A namespace for object names.",
  shortNames: ["ns"],
  scope: "Cluster",
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

/** Limits of the total resource usage of a namespace. */
export const ResourceQuota = builtIn({
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  description: "Limits of the total resource usage of a namespace.",
  shortNames: ["quota"],
  fields: {
    spec: optional(
      s.object({
        hard: resourceList("Maximum usage per resource."),
        scopes: optionalStrings("The objects that count, such as BestEffort."),
        scopeSelector: optional(
          s
            .object({
              matchExpressions: optional(
                s
                  .array(
                    s.object({
                      scopeName: requiredString("The scope."),
                      operator: s
                        .enum("In", "NotIn", "Exists", "DoesNotExist")
                        .describe("Operator between the key and the values."),
                      values: optionalStrings("Value to compare with."),
                    }),
                  )
                  .atomic(),
                "Requirements; all of them must match.",
              ),
            })
            .atomic(),
          "The objects that count, with values.",
        ),
      }),
      "The bounds.",
    ),
    status: optional(
      s.object({ hard: resourceList("The bounds in force."), used: resourceList("Current usage.") }),
      "Current usage.",
    ),
  },
});
