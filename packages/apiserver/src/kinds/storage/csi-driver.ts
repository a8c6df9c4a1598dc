import { deepEqual } from "@levelset/core/internal";
import { CSIDriver } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import {
  duplicateField,
  invalidField,
  unsupportedField,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  booleanColumn,
  NONE_CELL,
  UNSET_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Spec = Unvalidated<ObjectOf<typeof CSIDriver>["spec"]>;

type TokenRequests = NonNullable<Spec["tokenRequests"]>;

const GROUP_POLICIES = ["File", "None", "ReadWriteOnceWithFSType"];

const MODES = ["Persistent", "Ephemeral"];

const TOKEN_LEAST_SECONDS = 600;

const TOKEN_MOST_SECONDS = 2 ** 32;

/** Immutable fields and the names in error messages. */
const IMMUTABLE = [
  ["attachRequired", "attachedRequired"],
  ["volumeLifecycleModes", "volumeLifecycleModes"],
] as const;

/** Strategy of CSIDrivers. */
const csiDriverStrategy: KindStrategy = {
  returnDeletedObject: true,
  defaults: (draft) => {
    const spec = unvalidatedField<Spec>(draft, "spec") ?? {};
    const { volumeLifecycleModes: modes = [] } = spec;
    return {
      ...draft,
      spec: {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: "ReadWriteOnceWithFSType",
        requiresRepublish: false,
        seLinuxMount: false,
        ...spec,
        volumeLifecycleModes: modes.length === 0 ? ["Persistent"] : modes,
      },
    };
  },
  // The generation is not set on create; prepareForUpdate increments it.
  generationFields: () => "nothing",
  prepareForUpdate: (object, old) => {
    if (deepEqual(object["spec"], old["spec"])) return object;
    const generation = (old.metadata.generation ?? 0) + 1;
    return { ...object, metadata: { ...object.metadata, generation } };
  },
  *validate(object, old) {
    const spec = unvalidatedField<Spec>(object, "spec") ?? {};
    yield* specErrors(spec);
    if (old === undefined) return;
    const before = unvalidatedField<Spec>(old, "spec") ?? {};
    for (const [field, shown] of IMMUTABLE) {
      if (!deepEqual(spec[field], before[field]))
        yield invalidField(`spec.${shown}`, spec[field], "field is immutable");
    }
  },
};

function* specErrors(spec: Spec): FieldErrors {
  const { fsGroupPolicy: policy, volumeLifecycleModes: modes = [], tokenRequests = [] } = spec;
  if (policy !== undefined && !GROUP_POLICIES.includes(policy)) {
    yield unsupportedField("spec.fsGroupPolicy", policy, GROUP_POLICIES);
  }
  yield* tokenErrors("spec.tokenRequests", tokenRequests);
  for (const mode of modes) {
    if (!MODES.includes(mode)) yield unsupportedField("spec.volumeLifecycleModes", mode, MODES);
  }
}

function* tokenErrors(path: string, requests: TokenRequests): FieldErrors {
  const audiences = new Set<string>();
  for (const [index, { audience = "", expirationSeconds: seconds }] of requests.entries()) {
    if (audiences.has(audience)) {
      yield duplicateField(`${path}[${index}].audience`, audience);
      continue;
    }
    audiences.add(audience);
    const at = `${path}[${index}].expirationSeconds`;
    if (seconds !== undefined && seconds < TOKEN_LEAST_SECONDS) {
      yield invalidField(at, seconds, "may not specify a duration less than 10 minutes");
    }
    if (seconds !== undefined && seconds > TOKEN_MOST_SECONDS) {
      yield invalidField(at, seconds, "may not specify a duration larger than 2^32 seconds");
    }
  }
}

const csiDriverPrinter: Printer = printer<typeof CSIDriver>(
  [
    NAME_COLUMN,
    booleanColumn("AttachRequired", "Whether volumes are attached before mounting."),
    booleanColumn("PodInfoOnMount", "Whether the driver receives pod information."),
    booleanColumn("StorageCapacity", "Whether scheduling considers storage capacity."),
    tableColumn("TokenRequests", "Audiences of the tokens for the driver."),
    booleanColumn("RequiresRepublish", "Whether mounts are republished periodically."),
    tableColumn("Modes", "Supported volume lifecycle modes."),
    AGE_COLUMN,
  ],
  (driver) => {
    const { spec } = driver;
    const modes = (spec.volumeLifecycleModes ?? []).join(",");
    return [
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests === undefined ? UNSET_CELL : spec.tokenRequests.map(({ audience }) => audience).join(","),
      spec.requiresRepublish ?? false,
      modes === "" ? NONE_CELL : modes,
    ];
  },
);

/** CSIDrivers. */
export const csiDriverResource: Resource = builtinResource({
  kind: CSIDriver,
  allowUnconditionalUpdate: false,
  strategy: csiDriverStrategy,
  printer: csiDriverPrinter,
});
