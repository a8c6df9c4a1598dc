import { deepEqual } from "@levelset/core";
import type { NewOf, StatefulSet } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField, unsupportedField } from "../../field.ts";
import { dnsLabelProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { dnsLabelErrors, isBlank, notNegative } from "../check.ts";
import type { Errors } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { parsedSelector } from "../core/selector.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { claimSpecDefaults, or, templateDefaults } from "../pod/defaults.ts";
import { endlessErrors, selectedErrors, templateErrors, templateMetadataErrors } from "../pod/template.ts";
import { claimSpecErrors } from "../storage/claim-spec.ts";
import { collisionErrors, countErrors, ownSelectorErrors } from "./replicas.ts";
import type { Counts } from "./replicas.ts";
import { amountOfPodsErrors, isNone, notAboveAllErrors } from "./rollout.ts";

type Spec = NewOf<typeof StatefulSet>["spec"];
type LooseSpec = Loose<Spec>;
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

/** StatefulSets: pods have names that DNS knows, and claims that outlive them, so most of the spec is set once. */
export const statefulSetRules: KindRules = {
  emptyStatus: { replicas: 0, availableReplicas: 0 },
  nameProblems: dnsLabelProblems,
  defaults: (draft) => withTimes({ ...draft, spec: defaults(fieldOf<Spec>(draft, "spec")) }, ["lastTransitionTime"]),
  validate: statefulSetErrors,
  validateStatus: function* (object, old) {
    const next = fieldOf<Counts>(object, "status") ?? {};
    const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
    const fields = ["replicas", ...parts, "observedGeneration", "collisionCount"];
    yield* countErrors(next, fields, parts, "status.readyReplicas");
    yield* collisionErrors(next, fieldOf<Counts>(old, "status") ?? {});
  },
};

function defaults(spec: LooseSpec = {}): LooseSpec {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return present({
    ...spec,
    replicas: spec.replicas ?? 1,
    template: templateDefaults(spec.template),
    volumeClaimTemplates: spec.volumeClaimTemplates?.map(claimDefaults),
    podManagementPolicy: or(spec.podManagementPolicy, "OrderedReady"),
    updateStrategy: strategyDefaults(spec.updateStrategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    persistentVolumeClaimRetentionPolicy: {
      whenDeleted: or(whenDeleted, "Retain"),
      whenScaled: or(whenScaled, "Retain"),
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
    status: { ...claim.status, phase: or(claim.status?.phase, "Pending") },
  };
}

function strategyDefaults(strategy: Strategy = {}): Strategy {
  const type = or(strategy.type, "RollingUpdate");
  const rolling = strategy.rollingUpdate ?? (isBlank(strategy.type) ? {} : undefined);
  if (type !== "RollingUpdate" || rolling === undefined) return { ...strategy, type };
  return { type, rollingUpdate: present({ ...rolling, partition: rolling.partition ?? 0 }) };
}

function* statefulSetErrors(object: ApiObject, old: ApiObject | undefined): Errors {
  const spec = fieldOf<Spec>(object, "spec") ?? {};
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
  yield* notNegative("spec.replicas", spec.replicas);
  yield* notNegative("spec.minReadySeconds", spec.minReadySeconds);
  yield* notNegative("spec.ordinals.start", spec.ordinals?.start);
  if (old === undefined && !isBlank(spec.serviceName)) yield* dnsLabelErrors("spec.serviceName", spec.serviceName);
  yield* ownSelectorErrors("spec.selector", spec.selector, "statefulset");
  yield* templateOfSetErrors(spec);
  if (old !== undefined) yield* changeErrors(spec, fieldOf<Spec>(old, "spec") ?? {});
}

/** The template as its pods will have it: host names are the set's affair, and its claims count as volumes. */
function* templateOfSetErrors(spec: LooseSpec): Errors {
  const { selector, template = {}, volumeClaimTemplates = [] } = spec;
  if (parsedSelector(selector) === undefined) {
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
  yield* selectedErrors("spec.template", selector, checked);
  yield* templateErrors("spec.template", checked);
  // The real server says this twice.
  yield* templateMetadataErrors("spec.template", checked);
  yield* endlessErrors("spec.template", checked, "StatefulSet");
}

function* changeErrors(next: LooseSpec, old: LooseSpec): Errors {
  const fixed = (spec: LooseSpec): object =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !CHANGEABLE.some((field) => field === name)));
  if (deepEqual(fixed(next), fixed(old))) return;
  const fields = CHANGEABLE.map((field) => `'${field}'`);
  const listed = `${fields.slice(0, -1).join(", ")} and ${fields.at(-1)}`;
  yield forbiddenField("spec", `updates to statefulset spec for fields other than ${listed} are forbidden`);
}

function* strategyErrors(path: string, strategy: Strategy): Errors {
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
    yield* notNegative(`${at}.partition`, partition);
    if (maxUnavailable === undefined) return;
    yield* amountOfPodsErrors(`${at}.maxUnavailable`, maxUnavailable);
    if (isNone(maxUnavailable)) yield invalidField(`${at}.maxUnavailable`, maxUnavailable, "cannot be 0");
    yield* notAboveAllErrors(`${at}.maxUnavailable`, maxUnavailable);
  }
}
