import type { Condition } from "../condition/index.ts";
import type { StructuralSchema } from "../schema/index.ts";

const text = (description: string): StructuralSchema => ({ type: "string", description });

const conditionFields: Readonly<Record<keyof Condition, StructuralSchema>> = {
  type: text("Type of the condition."),
  status: { type: "string", enum: ["True", "False", "Unknown"], description: "Status of the condition." },
  severity: {
    type: "string",
    enum: ["Error", "Warning", "Info"],
    description:
      "Severity of a False condition. Info: in progress. Warning: a retry may fix it. Error: a person has to act.",
  },
  reason: text("Machine-readable reason in CamelCase."),
  message: text("Human-readable message."),
  lastTransitionTime: { type: "string", format: "date-time", description: "Time of the last change of status." },
  observedGeneration: {
    type: "integer",
    format: "int64",
    description: "The generation of the spec that this condition was computed from.",
  },
};

/** Schemas of the status fields that the engine manages: the observed generation and the conditions. */
export const engineStatus: Readonly<Record<string, StructuralSchema>> = {
  observedGeneration: {
    type: "integer",
    format: "int64",
    description: "The generation of the spec that this status was computed from.",
  },
  conditions: {
    type: "array",
    description: "Conditions of the latest spec; Ready summarizes the others.",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
    items: {
      type: "object",
      required: ["type", "status", "lastTransitionTime"],
      properties: conditionFields,
    },
  },
};
