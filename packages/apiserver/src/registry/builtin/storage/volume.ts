import { deepEqual } from "@levelset/core";
import type { NewOf, PersistentVolume, PersistentVolumeSpec } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../field.ts";
import { dnsSubdomainProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { unchangedErrors } from "../apps/replicas.ts";
import { isBlank, neededText, noBackstepErrors, optionalChoiceErrors, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { amountsOf, positiveAmountErrors } from "../core/resources.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { oneSourceErrors } from "../one-source.ts";
import type { SourceChecks } from "../one-source.ts";
import { nodeSelectorErrors } from "../pod/affinity.ts";
import { or } from "../pod/defaults.ts";
import { driverErrors, hostPathErrors, nfsErrors } from "../pod/volume.ts";
import { accessModeErrors, VOLUME_MODES } from "./claim-spec.ts";

type LooseSpec = Loose<PersistentVolumeSpec>;
type LooseStatus = Loose<NonNullable<NewOf<typeof PersistentVolume>["status"]>>;

/** Fields of the spec that are no source. All others are. */
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

/** PersistentVolumes: exactly one source, which never changes. */
export const volumeRules: KindRules = {
  emptyStatus: { phase: "Pending" },
  defaults: (draft) => {
    const spec = fieldOf<PersistentVolumeSpec>(draft, "spec") ?? {};
    const status = fieldOf<LooseStatus>(draft, "status") ?? {};
    const { hostPath, storageClassName } = spec;
    return {
      ...draft,
      spec: present({
        ...spec,
        persistentVolumeReclaimPolicy: or(spec.persistentVolumeReclaimPolicy, "Retain"),
        storageClassName: isBlank(storageClassName) ? undefined : storageClassName,
        volumeMode: spec.volumeMode ?? "Filesystem",
        hostPath: hostPath === undefined ? undefined : { ...hostPath, type: hostPath.type ?? "" },
      }),
      status: { ...status, phase: or(status.phase, "Pending") },
    };
  },
  prepareCreate: (object, { now }) => ({ ...object, status: { phase: "Pending", lastPhaseTransitionTime: now } }),
  prepareStatus: (object, old, { now }) => ({ ...object, status: timed(statusOf(object), statusOf(old), now) }),
  validate: volumeErrors,
};

function statusOf(object: ApiObject): LooseStatus {
  return fieldOf<LooseStatus>(object, "status") ?? {};
}

function timed(next: LooseStatus, old: LooseStatus, now: string): LooseStatus {
  const { lastPhaseTransitionTime: given } = next;
  const { lastPhaseTransitionTime: before } = old;
  if (next.phase === old.phase) return present({ ...next, lastPhaseTransitionTime: given ?? before });
  return { ...next, lastPhaseTransitionTime: given === undefined || given === before ? now : given };
}

function* volumeErrors(object: ApiObject, old: ApiObject | undefined): Errors {
  const spec = fieldOf<PersistentVolumeSpec>(object, "spec") ?? {};
  const { accessModes = [], capacity = {}, nodeAffinity } = spec;
  if (accessModes.length === 0) yield requiredField("spec.accessModes");
  yield* accessModeErrors("spec.accessModes", accessModes);
  const amounts = amountsOf(capacity);
  if (amounts.length === 0) yield requiredField("spec.capacity");
  if (capacity["storage"] === undefined || amounts.length > 1) {
    yield unsupportedField("spec.capacity", amounts.length === 0 ? null : capacity, ["storage"]);
  }
  for (const [name, amount] of amounts) yield* positiveAmountErrors(`spec.capacity[${name}]`, amount);
  yield* optionalChoiceErrors("spec.persistentVolumeReclaimPolicy", spec.persistentVolumeReclaimPolicy, [
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
  if (!isBlank(spec.storageClassName)) {
    yield* textErrors("spec.storageClassName", spec.storageClassName, dnsSubdomainProblems);
  }
  yield* optionalChoiceErrors("spec.volumeMode", spec.volumeMode, VOLUME_MODES);
  if (old !== undefined) yield* changeErrors(spec, fieldOf<PersistentVolumeSpec>(old, "spec") ?? {});
}

function sourcesOf(spec: LooseSpec): LooseSpec {
  return Object.fromEntries(
    Object.entries(spec).filter(([name, source]) => !COMMON.includes(name) && source !== undefined),
  );
}

function* sourceErrors(spec: LooseSpec): Errors {
  yield* oneSourceErrors("spec", sourcesOf(spec), SOURCES);
  if (spec.local !== undefined && spec.nodeAffinity?.required === undefined) {
    yield requiredField("spec.nodeAffinity", "Local volume requires node affinity");
  }
  if (/^\/+$/u.test(spec.hostPath?.path ?? "") && spec.persistentVolumeReclaimPolicy === "Recycle") {
    yield forbiddenField("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
  }
}

function* localErrors(path: string, source: NonNullable<LooseSpec["local"]>): Errors {
  if (isBlank(source.path)) yield requiredField(`${path}.path`);
  else yield* noBackstepErrors(`${path}.path`, source.path);
}

function* csiErrors(path: string, source: NonNullable<LooseSpec["csi"]>): Errors {
  yield* driverErrors(`${path}.driver`, source.driver);
  yield* neededText(`${path}.volumeHandle`, source.volumeHandle);
  for (const field of [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ] as const) {
    const secret = source[field];
    if (secret === undefined) continue;
    yield* neededText(`${path}.${field}.name`, secret.name);
    yield* neededText(`${path}.${field}.namespace`, secret.namespace);
  }
}

function* changeErrors(next: LooseSpec, old: LooseSpec): Errors {
  if (!deepEqual(sourcesOf(next), sourcesOf(old))) {
    yield forbiddenField("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
  }
  yield* unchangedErrors("volumeMode", next.volumeMode, old.volumeMode);
  if (old.nodeAffinity !== undefined && !deepEqual(next.nodeAffinity, old.nodeAffinity)) {
    yield invalidField("nodeAffinity", next.nodeAffinity ?? null, "field is immutable");
  }
}
