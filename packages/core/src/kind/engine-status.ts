import type { StructuralSchema } from "../schema/index.ts";

const text = (description: string): StructuralSchema => ({ type: "string", description });

/** The fields that the engine keeps in every status: which generation it speaks of, and the conditions. */
export const engineStatus: Readonly<Record<string, StructuralSchema>> = {
  observedGeneration: {
    type: "integer",
    format: "int64",
    description: "The generation of spec that this status speaks of.",
  },
  conditions: {
    type: "array",
    description: "How far the latest spec has been reached; Ready sums up the others.",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
    items: {
      type: "object",
      required: ["type", "status", "lastTransitionTime"],
      properties: {
        type: text("What this condition is about."),
        status: { type: "string", enum: ["True", "False", "Unknown"], description: "Whether it holds." },
        severity: {
          type: "string",
          enum: ["Error", "Warning", "Info"],
          description: "How bad a False is: Info in progress, Warning may be fixed by a retry, Error needs a person.",
        },
        reason: text("One word for programs."),
        message: text("One sentence for people."),
        lastTransitionTime: { type: "string", format: "date-time", description: "When status last changed." },
        observedGeneration: {
          type: "integer",
          format: "int64",
          description: "The generation of spec that this condition speaks of.",
        },
      },
    },
  },
};
