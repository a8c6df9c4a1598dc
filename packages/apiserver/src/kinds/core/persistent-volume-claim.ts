import { compareQuantities } from "@levelset/core/schema";
import { deepEqual } from "@levelset/core/internal";
import { PersistentVolumeClaim } from "@levelset/core";
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimStatus } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  forbiddenField,
  requiredField,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
  quantityText,
  UNSET_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { immutableFieldErrors } from "../apps/replicas.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { resourceQuantityErrors, toQuantity, resourceEntries } from "./resources.ts";
import { changedFields } from "../changed-fields.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { claimSpecDefaults, defaultIfEmpty } from "./pod/defaults.ts";
import { claimSpecErrors } from "./claim-spec.ts";
import { phaseText, classText, modesText } from "./volume-cells.ts";

type LooseSpec = Unvalidated<PersistentVolumeClaimSpec>;

/** Strategy of PersistentVolumeClaims: a bound claim can only grow. */
const persistentVolumeClaimStrategy: KindStrategy = {
  returnDeletedObject: true,
  initialStatus: { phase: "Pending" },
  defaults: (draft) => {
    const spec = claimSpecDefaults(unvalidatedField<PersistentVolumeClaimSpec>(draft, "spec") ?? {});
    const status = unvalidatedField<PersistentVolumeClaimStatus>(draft, "status") ?? {};
    const filled = { ...draft, spec, status: { ...status, phase: defaultIfEmpty(status.phase, "Pending") } };
    return withConditionTimes(filled, ["lastProbeTime", "lastTransitionTime"]);
  },
  prepareForCreate: (object) => ({ ...object, spec: withOneSource(specOf(object)) }),
  prepareForUpdate: (object) => ({ ...object, spec: withOneSource(specOf(object)) }),
  validate: function* (object, old) {
    yield* claimSpecErrors("spec", specOf(object));
    if (old !== undefined) yield* changeErrors(object, old);
  },
  validateStatusUpdate: function* (object) {
    if ((specOf(object).accessModes ?? []).length === 0) yield requiredField("Spec.accessModes");
    const { capacity } = unvalidatedField<PersistentVolumeClaimStatus>(object, "status") ?? {};
    for (const [name, amount] of resourceEntries(capacity))
      yield* resourceQuantityErrors(`status.capacity[${name}]`, name, amount);
  },
};

function specOf(object: ApiObject): LooseSpec {
  return unvalidatedField<PersistentVolumeClaimSpec>(object, "spec") ?? {};
}

/** Synchronizes dataSource and dataSourceRef, unless dataSourceRef has a namespace (KEP-1495, KEP-3294). */
function withOneSource(spec: LooseSpec): LooseSpec {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) return { ...spec, dataSourceRef: dataSource };
  const isForeign = (dataSourceRef?.namespace ?? "") !== "";
  if (dataSource !== undefined || dataSourceRef === undefined || isForeign) return spec;
  const { namespace: _namespace, ...local } = dataSourceRef;
  return { ...spec, dataSource: local };
}

function* changeErrors(object: ApiObject, oldClaim: ApiObject): FieldErrors {
  const next = specOf(object);
  const old = specOf(oldClaim);
  const { phase, capacity } = unvalidatedField<PersistentVolumeClaimStatus>(oldClaim, "status") ?? {};
  const isBound = phase === "Bound";
  const expected = omitUndefined({
    ...old,
    volumeName: old.volumeName ?? next.volumeName,
    storageClassName: old.storageClassName ?? next.storageClassName,
    ...(isBound
      ? { resources: withStorage(old, storageOf(next)), volumeAttributesClassName: next.volumeAttributesClassName }
      : {}),
  });
  if (!deepEqual(omitUndefined(next), expected)) {
    const why =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    yield forbiddenField("spec", `${why}\n${changedFields(expected, next)}`);
  }
  const size = toQuantity(storageOf(next));
  const hasShrunk = compareQuantities(size, toQuantity(storageOf(old))) < 0;
  if (hasShrunk && compareQuantities(size, toQuantity(capacity?.["storage"])) <= 0) {
    yield forbiddenField("spec.resources.requests.storage", "field can not be less than status.capacity");
  }
  yield* immutableFieldErrors("volumeMode", next.volumeMode, old.volumeMode);
}

function storageOf(spec: LooseSpec): number | string | undefined {
  return spec.resources?.requests?.["storage"];
}

function withStorage(spec: LooseSpec, storage: number | string | undefined): LooseSpec["resources"] {
  return { ...spec.resources, requests: omitUndefined({ ...spec.resources?.requests, storage }) };
}

const persistentVolumeClaimPrinter: Printer = printer<typeof PersistentVolumeClaim>(
  [
    NAME_COLUMN,
    tableColumn("Status", "Phase of the claim."),
    tableColumn("Volume", "The bound volume."),
    tableColumn("Capacity", "Capacity of the bound volume."),
    tableColumn("Access Modes", "Who may mount it, and how."),
    tableColumn("StorageClass", "Requested storage class."),
    tableColumn("VolumeAttributesClass", "Requested volume attributes class."),
    AGE_COLUMN,
    wideColumn("VolumeMode", "Requested volume mode: Filesystem or Block."),
  ],
  (claim) => {
    const { spec, status } = claim;
    const isBound = (spec?.volumeName ?? "") !== "";
    return [
      phaseText(claim),
      spec?.volumeName ?? "",
      isBound ? quantityText(status?.capacity?.["storage"]) : "",
      isBound ? modesText(status?.accessModes) : "",
      classText(claim),
      spec?.volumeAttributesClassName ?? UNSET_CELL,
      spec?.volumeMode ?? UNSET_CELL,
    ];
  },
);

/** PersistentVolumeClaims. */
export const persistentVolumeClaimResource: Resource = builtinResource({
  kind: PersistentVolumeClaim,
  strategy: persistentVolumeClaimStrategy,
  printer: persistentVolumeClaimPrinter,
});
