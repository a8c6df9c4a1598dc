import type { ObjectOf } from "@levelset/core";
import { Lease } from "@levelset/core";
import { invalidField, AGE_COLUMN, tableColumn, NAME_COLUMN, printer, builtinResource } from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";

type LeaseSpec = NonNullable<ObjectOf<typeof Lease>["spec"]>;

/** Strategy of Leases. An update of a missing Lease creates it. */
const leaseStrategy: KindStrategy = {
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

const leasePrinter: Printer = printer<typeof Lease>(
  [NAME_COLUMN, tableColumn("Holder", "Holder of the lease."), AGE_COLUMN],
  (lease) => [lease.spec?.holderIdentity ?? ""],
);

/** Leases. */
export const leaseResource: Resource = builtinResource({
  kind: Lease,
  allowUnconditionalUpdate: false,
  strategy: leaseStrategy,
  printer: leasePrinter,
});
