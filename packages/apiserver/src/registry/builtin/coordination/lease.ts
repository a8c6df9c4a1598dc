import type { Lease, ObjectOf } from "@levelset/core";
import { invalidField } from "../../field-errors.ts";
import type { KindStrategy } from "../../strategy.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";

type LeaseSpec = NonNullable<ObjectOf<typeof Lease>["spec"]>;

/** Strategy of Leases. An update of a missing Lease creates it. */
export const leaseStrategy: KindStrategy = {
  allowCreateOnUpdate: true,
  // Fields of the feature gate CoordinatedLeaderElection (KEP-4355), which is off by default, are dropped.
  defaults: (draft) => {
    const { strategy: _s, preferredHolder: _p, ...spec } = unvalidatedField<LeaseSpec>(draft, "spec") ?? {};
    return { ...draft, spec };
  },
  *validate(object) {
    const spec = unvalidatedField<LeaseSpec>(object, "spec") ?? {};
    const { leaseDurationSeconds, leaseTransitions } = spec;
    if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
      yield invalidField("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0");
    }
    yield* nonNegativeErrors("spec.leaseTransitions", leaseTransitions);
  },
};
