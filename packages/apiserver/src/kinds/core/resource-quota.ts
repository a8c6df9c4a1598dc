import type { NewOf, ObjectOf } from "@levelset/core";
import { ResourceQuota } from "@levelset/core";
import {
  invalidField,
  requiredField,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  quantityText,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { resourceQuantityErrors, resourceEntries, isStandardQuotaName, quotaResourceNameErrors } from "./resources.ts";
import type { UnvalidatedResourceList } from "./resources.ts";

type Spec = NonNullable<NewOf<typeof ResourceQuota>["spec"]>;

type LooseSpec = Unvalidated<Spec>;

const PAIRS = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

const EXISTENTIAL: readonly string[] = [...PAIRS.flat(), "CrossNamespacePodAffinity"];

const SCOPES: readonly string[] = [...EXISTENTIAL, "PriorityClass", "VolumeAttributesClass"];

/** Resources that quotas with pod scopes can restrict. */
const OF_PODS = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory", "pods"];

/** Strategy of ResourceQuotas: known resources and immutable scopes. */
const resourceQuotaStrategy: KindStrategy = {
  returnDeletedObject: true,
  initialStatus: {},
  defaults: (draft) => ({ ...draft, spec: draft["spec"] ?? {} }),
  validate: function* (object, old) {
    const spec = unvalidatedField<Spec>(object, "spec") ?? {};
    yield* amountsErrors("spec.hard", spec.hard);
    yield* scopeErrors(spec);
    yield* selectorErrors("spec.scopeSelector.matchExpressions", spec);
    if (old === undefined) return;
    const before = unvalidatedField<Spec>(old, "spec")?.scopes ?? [];
    const { scopes = [] } = spec;
    if (!scopes.every((scope) => before.includes(scope)) || !before.every((scope) => scopes.includes(scope))) {
      yield invalidField("spec.scopes", scopes, "field is immutable");
    }
  },
  validateStatusUpdate: function* (object) {
    const { hard, used } =
      unvalidatedField<{ readonly hard: UnvalidatedResourceList; readonly used: UnvalidatedResourceList }>(
        object,
        "status",
      ) ?? {};
    yield* amountsErrors("status.hard", hard);
    yield* amountsErrors("status.used", used);
  },
};

function* amountsErrors(path: string, amounts: UnvalidatedResourceList | undefined): FieldErrors {
  for (const [name, amount] of resourceEntries(amounts)) {
    yield* quotaResourceNameErrors(`${path}[${name}]`, name);
    yield* resourceQuantityErrors(`${path}[${name}]`, name, amount);
  }
}

function* scopeErrors(spec: LooseSpec): FieldErrors {
  const { scopes = [], hard = {} } = spec;
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) yield invalidField("spec.scopes", scopes, "unsupported scope");
    for (const name of Object.keys(hard).toSorted()) {
      if (isStandardQuotaName(name) && !fits(scope, name))
        yield invalidField("spec.scopes", scopes, "unsupported scope applied to resource");
    }
  }
  for (const pair of PAIRS) {
    if (pair.every((scope) => scopes.includes(scope))) yield invalidField("spec.scopes", scopes, "conflicting scopes");
  }
}

function fits(scope: string, name: string): boolean {
  if (scope === "BestEffort") return name === "pods";
  if (scope === "VolumeAttributesClass") return name === "persistentvolumeclaims" || name === "requests.storage";
  return !SCOPES.includes(scope) || OF_PODS.includes(name);
}

function* selectorErrors(path: string, spec: LooseSpec): FieldErrors {
  for (const expression of spec.scopeSelector?.matchExpressions ?? []) {
    const { scopeName = "", operator = "", values = [] } = expression;
    if (!SCOPES.includes(scopeName)) yield invalidField(`${path}.scopeName`, scopeName, "unsupported scope");
    if (EXISTENTIAL.includes(scopeName) && operator !== "Exists") {
      const why =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
        "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      yield invalidField(`${path}.operator`, operator, why);
    }
    if (operator === "In" || operator === "NotIn") {
      if (values.length > 0) continue;
      yield requiredField(
        `${path}.values`,
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      );
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length === 0) continue;
      yield invalidField(
        `${path}.values`,
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      );
    } else {
      yield invalidField(`${path}.operator`, operator, "not a valid selector operator");
    }
  }
}

const resourceQuotaPrinter: Printer = printer<typeof ResourceQuota>(
  [
    NAME_COLUMN,
    tableColumn("Request", "Used and allowed requests."),
    tableColumn("Limit", "Used and allowed limits."),
    AGE_COLUMN,
  ],
  (quota) => [usageText(quota, false), usageText(quota, true)],
);

function usageText({ status }: ObjectOf<typeof ResourceQuota>, limits: boolean): string {
  return Object.keys(status?.hard ?? {})
    .filter((name) => name.startsWith("limits.") === limits)
    .toSorted()
    .map((name) => `${name}: ${quantityText(status?.used?.[name])}/${quantityText(status?.hard?.[name])}`)
    .join(", ");
}

/** ResourceQuotas. */
export const resourceQuotaResource: Resource = builtinResource({
  kind: ResourceQuota,
  strategy: resourceQuotaStrategy,
  printer: resourceQuotaPrinter,
});
