import { builtIn, flag, given, optional, patched, quantities, s, text, textMap, texts } from "./field.ts";
import { conditions } from "./meta.ts";

/** Confidential values by key. Never logged, never shown. */
export const Secret = builtIn({
  group: "",
  version: "v1",
  kind: "Secret",
  description: "Confidential values by key. Never logged, never shown.",
  fields: {
    data: s.map(s.string().format("byte")).describe("The values, in base64.").optional(),
    stringData: textMap("Values in clear text, for writing only; merged into data."),
    type: text("What the secret is for; Opaque unless given."),
    immutable: flag("Whether data may never change again."),
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
    data: textMap("The values."),
    binaryData: s.map(s.string().format("byte")).describe("Values that are no text, in base64.").optional(),
    immutable: flag("Whether data may never change again."),
  },
});

/** A place for names. */
export const Namespace = builtIn({
  group: "",
  version: "v1",
  kind: "Namespace",
  description: "A place for names.",
  shortNames: ["ns"],
  scope: "Cluster",
  fields: {
    spec: s
      .object({ finalizers: texts("Who must be done before the namespace goes.") })
      .describe("What is wanted of it.")
      .optional(),
    status: s
      .object({
        phase: s.enum("Active", "Terminating").describe("Whether it is going.").optional(),
        conditions: patched("merge", conditions.describe("What keeps it from going.").optional(), "type"),
      })
      .describe("How it fares.")
      .optional(),
  },
});

/** Bounds and defaults for what each object in a namespace may use. */
export const LimitRange = builtIn({
  group: "",
  version: "v1",
  kind: "LimitRange",
  description: "Bounds and defaults for what each object in a namespace may use.",
  shortNames: ["limits"],
  fields: {
    spec: optional(
      s.object({
        limits: s
          .array(
            s.object({
              type: given("What it is about: Container, Pod or PersistentVolumeClaim."),
              max: quantities("The most one may have."),
              min: quantities("The least one may have."),
              default: quantities("Limits of a container that names none."),
              defaultRequest: quantities("Requests of a container that names none."),
              maxLimitRequestRatio: quantities("By how much a limit may exceed its request."),
            }),
          )
          .atomic()
          .describe("The bounds."),
      }),
      "The bounds.",
    ),
  },
});

/** Bounds for what a namespace may use as a whole. */
export const ResourceQuota = builtIn({
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  description: "Bounds for what a namespace may use as a whole.",
  shortNames: ["quota"],
  fields: {
    spec: optional(
      s.object({
        hard: quantities("The most there may be of each."),
        scopes: texts("The objects that count, such as BestEffort."),
        scopeSelector: optional(
          s
            .object({
              matchExpressions: optional(
                s
                  .array(
                    s.object({
                      scopeName: given("The scope."),
                      operator: s
                        .enum("In", "NotIn", "Exists", "DoesNotExist")
                        .describe("How it relates to the values."),
                      values: texts("What to compare with."),
                    }),
                  )
                  .atomic(),
                "Demands that hold all at once.",
              ),
            })
            .atomic(),
          "The objects that count, with values.",
        ),
      }),
      "The bounds.",
    ),
    status: optional(
      s.object({ hard: quantities("The bounds in force."), used: quantities("What is in use.") }),
      "What is in use.",
    ),
  },
});
