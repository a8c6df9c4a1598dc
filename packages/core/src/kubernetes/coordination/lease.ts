import { builtIn, s, int32, optional, optionalString, optionalTime } from "../field-builders.ts";

/** A time-limited claim of one holder: leader election, heartbeats. */
export const Lease = builtIn({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  description: "A time-limited claim of one holder: leader election, heartbeats.",
  fields: {
    spec: optional(
      s.object({
        holderIdentity: optionalString("Identity of the holder."),
        leaseDurationSeconds: int32("Lease duration in seconds, counted from the last renewal."),
        acquireTime: optionalTime("When the holder acquired it."),
        renewTime: optionalTime("When the holder last renewed it."),
        leaseTransitions: int32("Number of transitions between holders."),
        strategy: optionalString("Strategy of coordinated leader election."),
        preferredHolder: optionalString("Preferred next holder, with coordinated leader election."),
      }),
      "Holder and timing of the lease.",
    ),
  },
});
