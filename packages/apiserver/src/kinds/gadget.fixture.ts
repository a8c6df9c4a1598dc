import { builtIn, s } from "@levelset/core";

/** A made-up built-in kind: the file that core would contain as `kubernetes/apps/gadget.ts`. */
export const Gadget = builtIn({
  group: "apps",
  version: "v1",
  kind: "Gadget",
  description: "A made-up kind.",
  shortNames: ["gd"],
  fields: {
    spec: s
      .object({
        size: s.int32().describe("Size; defaults to 1.").optional(),
        color: s.string().describe("Color; immutable.").optional(),
        replicas: s.int32().describe("Number of pods.").optional(),
      })
      .describe("Desired state."),
    status: s
      .object({ phase: s.string().describe("Phase.").optional() })
      .describe("Observed state.")
      .optional(),
  },
});
