import { builtIn, int32, optional, s, text, time } from "./field.ts";

/** A claim that one of many holds for a while: who leads, or who is alive. */
export const Lease = builtIn({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  description: "A claim that one of many holds for a while: who leads, or who is alive.",
  fields: {
    spec: optional(
      s.object({
        holderIdentity: text("Who holds it."),
        leaseDurationSeconds: int32("Seconds for which others wait after a renewal."),
        acquireTime: time("When the holder got it."),
        renewTime: time("When the holder last renewed it."),
        leaseTransitions: int32("How often it changed hands."),
        strategy: text("How a holder is chosen, with coordinated election."),
        preferredHolder: text("Who should have it next, with coordinated election."),
      }),
      "Who holds it, and until when.",
    ),
  },
});
