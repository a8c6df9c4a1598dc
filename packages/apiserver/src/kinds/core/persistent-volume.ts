import { deepEqual } from "@levelset/core/internal";
import { PersistentVolume } from "@levelset/core";
import type { NewOf, PersistentVolumeSpec } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  dnsSubdomainProblems,
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
import {
  isEmptyString,
  requiredStringErrors,
  noBackstepErrors,
  optionalEnumErrors,
  stringErrors,
} from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { resourceEntries, positiveQuantityErrors } from "./resources.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { oneSourceErrors } from "../one-source.ts";
import type { SourceChecks } from "../one-source.ts";
import { nodeSelectorErrors } from "./pod/affinity.ts";
import { defaultIfEmpty } from "./pod/defaults.ts";
import { driverErrors, hostPathErrors, nfsErrors } from "./pod/volume.ts";
import { accessModeErrors, VOLUME_MODES } from "./claim-spec.ts";
import { phaseText, classText, modesText } from "./volume-cells.ts";

type LooseSpec = Unvalidated<PersistentVolumeSpec>;

type LooseStatus = Unvalidated<NonNullable<NewOf<typeof PersistentVolume>["status"]>>;

/** Fields of the spec that are not volume sources. All other fields are. */
const COMMON: readonly string[] = [
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
];

const SOURCES: SourceChecks<LooseSpec> = {
  hostPath: hostPathErrors,
  nfs: nfsErrors,
  local: localErrors,
  csi: csiErrors,
};

/** Strategy of PersistentVolumes: exactly one source, which is immutable. */
const persistentVolumeStrategy: KindStrategy = {
  returnDeletedObject: true,
  initialStatus: { phase: "Pending" },
  defaults: (draft) => {
    const spec = unvalidatedField<PersistentVolumeSpec>(draft, "spec") ?? {};
    const status = unvalidatedField<LooseStatus>(draft, "status") ?? {};
    const { hostPath, storageClassName } = spec;
    return {
      ...draft,
      spec: omitUndefined({
        ...spec,
        persistentVolumeReclaimPolicy: defaultIfEmpty(spec.persistentVolumeReclaimPolicy, "Retain"),
        storageClassName: isEmptyString(storageClassName) ? undefined : storageClassName,
        volumeMode: spec.volumeMode ?? "Filesystem",
        hostPath: hostPath === undefined ? undefined : { ...hostPath, type: hostPath.type ?? "" },
      }),
      status: { ...status, phase: defaultIfEmpty(status.phase, "Pending") },
    };
  },
  prepareForCreate: (object, { now }) => ({ ...object, status: { phase: "Pending", lastPhaseTransitionTime: now } }),
  prepareForStatusUpdate: (object, old, { now }) => ({
    ...object,
    status: timed(statusOf(object), statusOf(old), now),
  }),
  validate: volumeErrors,
};

function statusOf(object: ApiObject): LooseStatus {
  return unvalidatedField<LooseStatus>(object, "status") ?? {};
}

function timed(next: LooseStatus, old: LooseStatus, now: string): LooseStatus {
  const { lastPhaseTransitionTime: given } = next;
  const { lastPhaseTransitionTime: before } = old;
  if (next.phase === old.phase) return omitUndefined({ ...next, lastPhaseTransitionTime: given ?? before });
  return { ...next, lastPhaseTransitionTime: given === undefined || given === before ? now : given };
}

function* volumeErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const spec = unvalidatedField<PersistentVolumeSpec>(object, "spec") ?? {};
  const { accessModes = [], capacity = {}, nodeAffinity } = spec;
  if (accessModes.length === 0) yield requiredField("spec.accessModes");
  yield* accessModeErrors("spec.accessModes", accessModes);
  const amounts = resourceEntries(capacity);
  if (amounts.length === 0) yield requiredField("spec.capacity");
  if (capacity["storage"] === undefined || amounts.length > 1) {
    yield unsupportedField("spec.capacity", amounts.length === 0 ? null : capacity, ["storage"]);
  }
  for (const [name, amount] of amounts) yield* positiveQuantityErrors(`spec.capacity[${name}]`, amount);
  yield* optionalEnumErrors("spec.persistentVolumeReclaimPolicy", spec.persistentVolumeReclaimPolicy, [
    "Delete",
    "Recycle",
    "Retain",
  ]);
  if (nodeAffinity !== undefined) {
    if (nodeAffinity.required === undefined) {
      yield requiredField("spec.nodeAffinity.required", "must specify required node constraints");
    } else yield* nodeSelectorErrors("spec.nodeAffinity.required", nodeAffinity.required);
  }
  yield* sourceErrors(spec);
  if (!isEmptyString(spec.storageClassName)) {
    yield* stringErrors("spec.storageClassName", spec.storageClassName, dnsSubdomainProblems);
  }
  yield* optionalEnumErrors("spec.volumeMode", spec.volumeMode, VOLUME_MODES);
  if (old !== undefined) yield* changeErrors(spec, unvalidatedField<PersistentVolumeSpec>(old, "spec") ?? {});
}

function sourcesOf(spec: LooseSpec): LooseSpec {
  return Object.fromEntries(
    Object.entries(spec).filter(([name, source]) => !COMMON.includes(name) && source !== undefined),
  );
}

function* sourceErrors(spec: LooseSpec): FieldErrors {
  yield* oneSourceErrors("spec", sourcesOf(spec), SOURCES);
  if (spec.local !== undefined && spec.nodeAffinity?.required === undefined) {
    yield requiredField("spec.nodeAffinity", "Local volume requires node affinity");
  }
  if (/^\/+$/u.test(spec.hostPath?.path ?? "") && spec.persistentVolumeReclaimPolicy === "Recycle") {
    yield forbiddenField("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
  }
}

function* localErrors(path: string, source: NonNullable<LooseSpec["local"]>): FieldErrors {
  if (isEmptyString(source.path)) yield requiredField(`${path}.path`);
  else yield* noBackstepErrors(`${path}.path`, source.path);
}

function* csiErrors(path: string, source: NonNullable<LooseSpec["csi"]>): FieldErrors {
  yield* driverErrors(`${path}.driver`, source.driver);
  yield* requiredStringErrors(`${path}.volumeHandle`, source.volumeHandle);
  for (const field of [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ] as const) {
    const secret = source[field];
    if (secret === undefined) continue;
    yield* requiredStringErrors(`${path}.${field}.name`, secret.name);
    yield* requiredStringErrors(`${path}.${field}.namespace`, secret.namespace);
  }
}

function* changeErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  if (!deepEqual(sourcesOf(next), sourcesOf(old))) {
    yield forbiddenField("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
  }
  yield* immutableFieldErrors("volumeMode", next.volumeMode, old.volumeMode);
  if (old.nodeAffinity !== undefined && !deepEqual(next.nodeAffinity, old.nodeAffinity)) {
    const why = "field is immutable, except for updating from beta label to GA";
    yield invalidField("nodeAffinity", next.nodeAffinity ?? null, why);
  }
}

const persistentVolumePrinter: Printer = printer<typeof PersistentVolume>(
  [
    NAME_COLUMN,
    tableColumn("Capacity", "Storage capacity."),
    tableColumn("Access Modes", "Who may mount it, and how."),
    tableColumn("Reclaim Policy", "What happens to the volume after its claim is deleted."),
    tableColumn("Status", "Phase of the volume."),
    tableColumn("Claim", "The bound claim."),
    tableColumn("StorageClass", "Storage class."),
    tableColumn("VolumeAttributesClass", "Volume attributes class."),
    tableColumn("Reason", "Reason of the phase."),
    AGE_COLUMN,
    wideColumn("VolumeMode", "Filesystem or Block."),
  ],
  (volume) => {
    const { spec, status } = volume;
    const claim = spec?.claimRef;
    return [
      quantityText(spec?.capacity?.["storage"]),
      modesText(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? "",
      phaseText(volume),
      claim === undefined ? "" : `${claim.namespace ?? ""}/${claim.name ?? ""}`,
      classText(volume),
      spec?.volumeAttributesClassName ?? UNSET_CELL,
      status?.reason ?? "",
      spec?.volumeMode ?? UNSET_CELL,
    ];
  },
);

/** PersistentVolumes. */
export const persistentVolumeResource: Resource = builtinResource({
  kind: PersistentVolume,
  strategy: persistentVolumeStrategy,
  printer: persistentVolumePrinter,
});
