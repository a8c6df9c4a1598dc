import { builtIn, s, optionalEnum, optionalBoolean, optionalString } from "../field-builders.ts";

/** Priority of the pods of a class. */
export const PriorityClass = builtIn({
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  description: "A class of pod priority.",
  shortNames: ["pc"],
  scope: "Cluster",
  fields: {
    value: s.int32().describe("Priority; a higher value is more important.").default(0),
    globalDefault: optionalBoolean("Whether it is the default class."),
    description: optionalString("Description of the class."),
    preemptionPolicy: optionalEnum(
      "Whether its pods may preempt others; defaults to PreemptLowerPriority.",
      "Never",
      "PreemptLowerPriority",
    ),
  },
});
