import { compareQuantities, deepEqual } from "@levelset/core";
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimStatus } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, requiredField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import { unchangedErrors } from "../apps/replicas.ts";
import type { Errors } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { amountErrors, amountOf, amountsOf } from "../core/resources.ts";
import { changedFields } from "../difference.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { claimSpecDefaults, or } from "../pod/defaults.ts";
import { claimSpecErrors } from "./claim-spec.ts";

type LooseSpec = Loose<PersistentVolumeClaimSpec>;

/** PersistentVolumeClaims: a bound one may only grow. */
export const claimRules: KindRules = {
  emptyStatus: { phase: "Pending" },
  defaults: (draft) => {
    const spec = claimSpecDefaults(fieldOf<PersistentVolumeClaimSpec>(draft, "spec") ?? {});
    const status = fieldOf<PersistentVolumeClaimStatus>(draft, "status") ?? {};
    const filled = { ...draft, spec, status: { ...status, phase: or(status.phase, "Pending") } };
    return withTimes(filled, ["lastProbeTime", "lastTransitionTime"]);
  },
  prepareCreate: (object) => ({ ...object, spec: withOneSource(specOf(object)) }),
  prepareUpdate: (object) => ({ ...object, spec: withOneSource(specOf(object)) }),
  validate: function* (object, old) {
    yield* claimSpecErrors("spec", specOf(object));
    if (old !== undefined) yield* changeErrors(object, old);
  },
  validateStatus: function* (object) {
    if ((specOf(object).accessModes ?? []).length === 0) yield requiredField("Spec.accessModes");
    const { capacity } = fieldOf<PersistentVolumeClaimStatus>(object, "status") ?? {};
    for (const [name, amount] of amountsOf(capacity)) yield* amountErrors(`status.capacity[${name}]`, name, amount);
  },
};

function specOf(object: ApiObject): LooseSpec {
  return fieldOf<PersistentVolumeClaimSpec>(object, "spec") ?? {};
}

/** The two ways to say what a claim is filled with say the same, unless the newer one points to another namespace. */
function withOneSource(spec: LooseSpec): LooseSpec {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) return { ...spec, dataSourceRef: dataSource };
  const isForeign = (dataSourceRef?.namespace ?? "") !== "";
  if (dataSource !== undefined || dataSourceRef === undefined || isForeign) return spec;
  const { namespace: _namespace, ...local } = dataSourceRef;
  return { ...spec, dataSource: local };
}

function* changeErrors(object: ApiObject, oldClaim: ApiObject): Errors {
  const next = specOf(object);
  const old = specOf(oldClaim);
  const { phase, capacity } = fieldOf<PersistentVolumeClaimStatus>(oldClaim, "status") ?? {};
  const isBound = phase === "Bound";
  const expected = present({
    ...old,
    volumeName: old.volumeName ?? next.volumeName,
    storageClassName: old.storageClassName ?? next.storageClassName,
    ...(isBound
      ? { resources: withStorage(old, storageOf(next)), volumeAttributesClassName: next.volumeAttributesClassName }
      : {}),
  });
  if (!deepEqual(present(next), expected)) {
    const why =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    yield forbiddenField("spec", `${why}\n${changedFields(expected, next)}`);
  }
  const size = amountOf(storageOf(next));
  const hasShrunk = compareQuantities(size, amountOf(storageOf(old))) < 0;
  if (hasShrunk && compareQuantities(size, amountOf(capacity?.["storage"])) <= 0) {
    yield forbiddenField("spec.resources.requests.storage", "field can not be less than status.capacity");
  }
  yield* unchangedErrors("volumeMode", next.volumeMode, old.volumeMode);
}

function storageOf(spec: LooseSpec): number | string | undefined {
  return spec.resources?.requests?.["storage"];
}

function withStorage(spec: LooseSpec, storage: number | string | undefined): LooseSpec["resources"] {
  return { ...spec.resources, requests: present({ ...spec.resources?.requests, storage }) };
}
