import type { Lease, ObjectOf } from "@levelset/core";
import { invalidField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import { notNegative } from "../check.ts";
import { fieldOf } from "../loose.ts";

type LeaseSpec = NonNullable<ObjectOf<typeof Lease>["spec"]>;

/** Leases: sensible numbers, and taken by whoever writes first. */
export const leaseRules: KindRules = {
  createsOnUpdate: true,
  // Coordinated election is off, and what belongs to it is dropped, as in a real server's default.
  defaults: (draft) => {
    const { strategy: _s, preferredHolder: _p, ...spec } = fieldOf<LeaseSpec>(draft, "spec") ?? {};
    return { ...draft, spec };
  },
  *validate(object) {
    const spec = fieldOf<LeaseSpec>(object, "spec") ?? {};
    const { leaseDurationSeconds, leaseTransitions } = spec;
    if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
      yield invalidField("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0");
    }
    yield* notNegative("spec.leaseTransitions", leaseTransitions);
  },
};
