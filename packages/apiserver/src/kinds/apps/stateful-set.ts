import { deepEqual } from "@levelset/core/internal";
import { StatefulSet } from "@levelset/core";
import type { NewOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  forbiddenField,
  invalidField,
  unsupportedField,
  dnsLabelProblems,
  AGE_COLUMN,
  tableColumn,
  CONTAINER_COLUMNS,
  NAME_COLUMN,
  printer,
  containersText,
  builtinResource,
  SCALE_SUBRESOURCE,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { dnsLabelErrors, isEmptyString, nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { parseUnvalidatedSelector } from "../core/selector.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { claimSpecDefaults, defaultIfEmpty, templateDefaults } from "../core/pod/defaults.ts";
import {
  alwaysRestartErrors,
  selectorMismatchErrors,
  templateErrors,
  templateMetadataErrors,
} from "../core/pod/template.ts";
import { claimSpecErrors } from "../core/claim-spec.ts";
import { collisionCountErrors, countErrors, requiredSelectorErrors, readyText } from "./replicas.ts";
import type { ReplicaStatusCounts } from "./replicas.ts";
import { positiveIntOrPercentErrors, isZeroIntOrPercent, notMoreThan100PercentErrors } from "./rolling-update.ts";

type Spec = NewOf<typeof StatefulSet>["spec"];

type LooseSpec = Unvalidated<Spec>;

type Strategy = NonNullable<LooseSpec["updateStrategy"]>;

type ClaimTemplate = NonNullable<LooseSpec["volumeClaimTemplates"]>[number];

const CHANGEABLE = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
] as const;

/** Strategy of StatefulSets: most of the spec is immutable. */
const statefulSetStrategy: KindStrategy = {
  initialStatus: { replicas: 0, availableReplicas: 0 },
  nameProblems: dnsLabelProblems,
  defaults: (draft) =>
    withConditionTimes({ ...draft, spec: defaults(unvalidatedField<Spec>(draft, "spec")) }, ["lastTransitionTime"]),
  validate: statefulSetErrors,
  validateStatusUpdate: function* (object, old) {
    const next = unvalidatedField<ReplicaStatusCounts>(object, "status") ?? {};
    const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
    const fields = ["replicas", ...parts, "observedGeneration", "collisionCount"];
    yield* countErrors(next, fields, parts, "status.readyReplicas");
    yield* collisionCountErrors(next, unvalidatedField<ReplicaStatusCounts>(old, "status") ?? {});
  },
};

function defaults(spec: LooseSpec = {}): LooseSpec {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return omitUndefined({
    ...spec,
    replicas: spec.replicas ?? 1,
    template: templateDefaults(spec.template),
    volumeClaimTemplates: spec.volumeClaimTemplates?.map(claimDefaults),
    podManagementPolicy: defaultIfEmpty(spec.podManagementPolicy, "OrderedReady"),
    updateStrategy: strategyDefaults(spec.updateStrategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    persistentVolumeClaimRetentionPolicy: {
      whenDeleted: defaultIfEmpty(whenDeleted, "Retain"),
      whenScaled: defaultIfEmpty(whenScaled, "Retain"),
    },
  });
}

function claimDefaults(claim: ClaimTemplate): ClaimTemplate {
  return {
    ...claim,
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: claim.metadata ?? {},
    spec: claimSpecDefaults(claim.spec),
    status: { ...claim.status, phase: defaultIfEmpty(claim.status?.phase, "Pending") },
  };
}

function strategyDefaults(strategy: Strategy = {}): Strategy {
  const type = defaultIfEmpty(strategy.type, "RollingUpdate");
  const rolling = strategy.rollingUpdate ?? (isEmptyString(strategy.type) ? {} : undefined);
  if (type !== "RollingUpdate" || rolling === undefined) return { ...strategy, type };
  return { type, rollingUpdate: omitUndefined({ ...rolling, partition: rolling.partition ?? 0 }) };
}

function* statefulSetErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const spec = unvalidatedField<Spec>(object, "spec") ?? {};
  const { podManagementPolicy: management = "", persistentVolumeClaimRetentionPolicy: retention = {} } = spec;
  if (management !== "OrderedReady" && management !== "Parallel") {
    yield invalidField("spec.podManagementPolicy", management, "must be 'OrderedReady' or 'Parallel'");
  }
  yield* strategyErrors("spec.updateStrategy", spec.updateStrategy ?? {});
  for (const field of ["whenDeleted", "whenScaled"] as const) {
    const policy = retention[field] ?? "";
    if (policy === "Retain" || policy === "Delete") continue;
    yield unsupportedField(`spec.persistentVolumeClaimRetentionPolicy.${field}`, policy, ["Retain", "Delete"]);
  }
  if (old === undefined) {
    for (const [index, claim] of (spec.volumeClaimTemplates ?? []).entries()) {
      yield* claimSpecErrors(`spec.volumeClaimTemplates[${index}].spec`, claim.spec ?? {});
    }
  }
  yield* nonNegativeErrors("spec.replicas", spec.replicas);
  yield* nonNegativeErrors("spec.minReadySeconds", spec.minReadySeconds);
  yield* nonNegativeErrors("spec.ordinals.start", spec.ordinals?.start);
  if (old === undefined && !isEmptyString(spec.serviceName))
    yield* dnsLabelErrors("spec.serviceName", spec.serviceName);
  yield* requiredSelectorErrors("spec.selector", spec.selector, "statefulset");
  yield* templateOfSetErrors(spec);
  if (old !== undefined) yield* changeErrors(spec, unvalidatedField<Spec>(old, "spec") ?? {});
}

/** Validates the pod template with the volumes of volumeClaimTemplates. */
function* templateOfSetErrors(spec: LooseSpec): FieldErrors {
  const { selector, template = {}, volumeClaimTemplates = [] } = spec;
  if (parseUnvalidatedSelector(selector) === undefined) {
    yield invalidField("spec.selector", selector, "");
    return;
  }
  const claimed = volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? "");
  const volumes = [
    ...claimed.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...(template.spec?.volumes ?? []).filter(({ name = "" }) => !claimed.includes(name)),
  ];
  const { hostname: _hostname, subdomain: _subdomain, ...rest } = template.spec ?? {};
  const checked = { ...template, spec: { ...rest, volumes } };
  yield* selectorMismatchErrors("spec.template", selector, checked);
  yield* templateErrors("spec.template", checked);
  // Reported twice, as in pkg/apis/apps/validation/validation.go (Kubernetes 1.36).
  yield* templateMetadataErrors("spec.template", checked);
  yield* alwaysRestartErrors("spec.template", checked, "StatefulSet");
}

function* changeErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  const fixed = (spec: LooseSpec): object =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !CHANGEABLE.some((field) => field === name)));
  if (deepEqual(fixed(next), fixed(old))) return;
  const fields = CHANGEABLE.map((field) => `'${field}'`);
  const listed = `${fields.slice(0, -1).join(", ")} and ${fields.at(-1)}`;
  yield forbiddenField("spec", `updates to statefulset spec for fields other than ${listed} are forbidden`);
}

function* strategyErrors(path: string, strategy: Strategy): FieldErrors {
  const { type, rollingUpdate } = strategy;
  const at = `${path}.rollingUpdate`;
  if (type === "OnDelete") {
    if (rollingUpdate !== undefined) {
      yield invalidField(at, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (type !== "RollingUpdate") {
    yield invalidField(path, strategy, "must be 'RollingUpdate' or 'OnDelete'");
  } else if (rollingUpdate !== undefined) {
    const { partition, maxUnavailable } = rollingUpdate;
    yield* nonNegativeErrors(`${at}.partition`, partition);
    if (maxUnavailable === undefined) return;
    yield* positiveIntOrPercentErrors(`${at}.maxUnavailable`, maxUnavailable);
    if (isZeroIntOrPercent(maxUnavailable)) yield invalidField(`${at}.maxUnavailable`, maxUnavailable, "cannot be 0");
    yield* notMoreThan100PercentErrors(`${at}.maxUnavailable`, maxUnavailable);
  }
}

const statefulSetPrinter: Printer = printer<typeof StatefulSet>(
  [NAME_COLUMN, tableColumn("Ready", "Ready pods of desired pods."), AGE_COLUMN, ...CONTAINER_COLUMNS],
  (set) => [readyText(set), ...containersText(set.spec.template.spec?.containers)],
);

/** StatefulSets. */
export const statefulSetResource: Resource = builtinResource({
  kind: StatefulSet,
  categories: ["all"],
  subresources: [SCALE_SUBRESOURCE],
  hasGeneration: true,
  strategy: statefulSetStrategy,
  printer: statefulSetPrinter,
});
