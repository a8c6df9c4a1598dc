import { builtIn } from "../field-builders.ts";
import { podTemplateSpec } from "./pod-spec.ts";

/** A stored pod template. */
export const PodTemplate = builtIn({
  group: "",
  version: "v1",
  kind: "PodTemplate",
  description: "A stored template of pods.",
  fields: { template: podTemplateSpec.describe("The pod.") },
});
