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

/** The body of a subresource of Gadgets. */
export const GadgetTicket = builtIn({
  group: "apps",
  version: "v1",
  kind: "GadgetTicket",
  description: "A made-up request.",
  fields: { spec: s.object({ seat: s.string().describe("Seat.").optional() }).describe("Desired state.") },
});
