import { deepEqual } from "@levelset/core/internal";
import { StorageClass } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  duplicateField,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
  nameWithDefaultMark,
  AGE_COLUMN,
  tableColumn,
  MARKED_NAME_COLUMN,
  printer,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { isEmptyString, qualifiedNameErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Class = Unvalidated<ObjectOf<typeof StorageClass>>;

type Topology = NonNullable<Class["allowedTopologies"]>[number];

const PARAMETERS_MAX = 512;

const PARAMETERS_MAX_BYTES = 256 * 1024;

const RECLAIM_POLICIES = ["Delete", "Retain"];

const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];

const IMMUTABLE = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"];

/** Strategy of StorageClasses: most fields are immutable. */
const storageClassStrategy: KindStrategy = {
  returnDeletedObject: true,
  defaults: (draft) => ({
    ...draft,
    reclaimPolicy: draft["reclaimPolicy"] ?? "Delete",
    volumeBindingMode: draft["volumeBindingMode"] ?? "Immediate",
  }),
  *validate(object, old) {
    if (old === undefined) {
      yield* createErrors(object);
      return;
    }
    for (const field of IMMUTABLE) {
      if (!deepEqual(object[field], old[field])) yield invalidField(field, object[field], "field is immutable");
    }
  },
};

function* createErrors(object: ApiObject): FieldErrors {
  const provisioner = unvalidatedField<string>(object, "provisioner");
  if (isEmptyString(provisioner)) yield requiredField("provisioner");
  else yield* qualifiedNameErrors("provisioner", provisioner.toLowerCase());
  yield* parametersErrors(
    Object.entries(unvalidatedField<Readonly<Record<string, string>>>(object, "parameters") ?? {}),
  );
  const policy = unvalidatedField<string>(object, "reclaimPolicy");
  if (!isEmptyString(policy) && !RECLAIM_POLICIES.includes(policy)) {
    yield unsupportedField("reclaimPolicy", policy, RECLAIM_POLICIES);
  }
  const mode = unvalidatedField<string>(object, "volumeBindingMode") ?? "";
  if (!BINDING_MODES.includes(mode)) yield unsupportedField("volumeBindingMode", mode, BINDING_MODES);
  yield* topologiesErrors(unvalidatedField<readonly Topology[]>(object, "allowedTopologies") ?? []);
}

function* parametersErrors(parameters: readonly (readonly [string, string | undefined])[]): FieldErrors {
  if (parameters.length > PARAMETERS_MAX) {
    yield tooLongField("parameters", PARAMETERS_MAX);
    return;
  }
  for (const [key] of parameters) {
    if (key === "") yield invalidField("parameters", key, "field can not be empty.");
  }
  const bytes = parameters.reduce(
    (sum, [key, value = ""]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > PARAMETERS_MAX_BYTES) yield tooLongField("parameters", PARAMETERS_MAX_BYTES);
}

function* topologiesErrors(topologies: readonly Topology[]): FieldErrors {
  for (const [index, { matchLabelExpressions = [] }] of topologies.entries()) {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const keys = new Set<string>();
    for (const [at, { key = "", values = [] }] of matchLabelExpressions.entries()) {
      if (values.length === 0) yield requiredField(`${path}[${at}].values`);
      const seen = new Set<string>();
      for (const [place, value] of values.entries()) {
        if (seen.has(value)) yield duplicateField(`${path}[${at}].values[${place}]`, value);
        seen.add(value);
      }
      yield* qualifiedNameErrors(`${path}[${at}].key`, key);
      if (keys.has(key)) yield duplicateField(`${path}[${at}].key`, key);
      keys.add(key);
    }
    if (topologies.slice(0, index).some((other) => deepEqual(other.matchLabelExpressions, matchLabelExpressions))) {
      yield duplicateField(path, "");
    }
  }
}

const storageClassPrinter: Printer = printer<typeof StorageClass>(
  [
    MARKED_NAME_COLUMN,
    tableColumn("Provisioner", "Provisioner of the volumes."),
    tableColumn("ReclaimPolicy", "What happens to a volume after its claim is deleted."),
    tableColumn("VolumeBindingMode", "When volumes are bound and provisioned."),
    tableColumn("AllowVolumeExpansion", "Whether volumes can be expanded."),
    AGE_COLUMN,
  ],
  (storage) => [
    nameWithDefaultMark(storage.metadata, [
      "storageclass.kubernetes.io/is-default-class",
      "storageclass.beta.kubernetes.io/is-default-class",
    ]),
    storage.provisioner,
    storage.reclaimPolicy ?? "Delete",
    storage.volumeBindingMode ?? "Immediate",
    storage.allowVolumeExpansion ?? false,
  ],
);

/** StorageClasses. */
export const storageClassResource: Resource = builtinResource({
  kind: StorageClass,
  strategy: storageClassStrategy,
  printer: storageClassPrinter,
});
