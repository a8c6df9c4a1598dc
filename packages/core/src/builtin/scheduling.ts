import { builtIn, choice, flag, s, text } from "./field.ts";

/** How important pods of a class are. */
export const PriorityClass = builtIn({
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  description: "How important pods of a class are.",
  shortNames: ["pc"],
  scope: "Cluster",
  fields: {
    value: s.int32().describe("The larger, the more important.").default(0),
    globalDefault: flag("Whether pods that name no class get this one."),
    description: text("Whom the class is for."),
    preemptionPolicy: choice(
      "Whether its pods may push out others; PreemptLowerPriority unless given.",
      "Never",
      "PreemptLowerPriority",
    ),
  },
});
