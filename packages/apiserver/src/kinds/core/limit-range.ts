import { compareQuantities, parseQuantity, quantityToDouble } from "@levelset/core/schema";
import { LimitRange } from "@levelset/core";
import type { NewOf } from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  qualifiedNameProblems,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Resource } from "../../resource/index.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import {
  quantityNamed,
  toQuantity,
  containerResourceNameErrors,
  isOvercommitAllowed,
  resourceNameErrors,
} from "./resources.ts";

type Spec = NewOf<typeof LimitRange>["spec"];

type Limit = NonNullable<NonNullable<Unvalidated<Spec>>["limits"]>[number];

const TYPES = ["Pod", "Container", "PersistentVolumeClaim"];

/** Strategy of LimitRanges: consistent bounds, and defaults derived from them. */
const limitRangeStrategy: KindStrategy = {
  defaults: (draft) => {
    const spec = unvalidatedField<Spec>(draft, "spec") ?? {};
    return {
      ...draft,
      spec: { ...spec, limits: (spec.limits ?? []).length === 0 ? null : spec.limits?.map(limitDefaults) },
    };
  },
  validate: function* (object) {
    const types = new Set<string>();
    for (const [index, limit] of (unvalidatedField<Spec>(object, "spec")?.limits ?? []).entries()) {
      const at = `spec.limits[${index}]`;
      const { type = "" } = limit;
      yield* typeErrors(`${at}.type`, type);
      if (types.has(type)) yield duplicateField(`${at}.type`, type);
      types.add(type);
      yield* limitErrors(at, limit);
    }
  },
};

function limitDefaults(limit: Limit): Limit {
  if (limit.type !== "Container") return limit;
  const byDefault = { ...limit.max, ...limit.default };
  const requested = { ...limit.min, ...byDefault, ...limit.defaultRequest };
  return {
    ...limit,
    ...(Object.keys(byDefault).length === 0 ? {} : { default: byDefault }),
    ...(Object.keys(requested).length === 0 ? {} : { defaultRequest: requested }),
  };
}

function* typeErrors(path: string, type: string): FieldErrors {
  const problems = qualifiedNameProblems(type);
  for (const problem of problems) yield invalidField(path, type, problem);
  if (problems.length > 0 || type.includes("/") || TYPES.includes(type)) return;
  yield invalidField(path, type, "must be a standard limit type or fully qualified");
}

function* limitErrors(path: string, limit: Limit): FieldErrors {
  const nameErrors =
    limit.type === "Pod" || limit.type === "Container" ? containerResourceNameErrors : resourceNameErrors;
  const isPod = limit.type === "Pod";
  for (const field of ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const) {
    const names = Object.keys(limit[field] ?? {});
    if (isPod && (field === "default" || field === "defaultRequest")) {
      if (names.length > 0) yield forbiddenField(`${path}.${field}`, "may not be specified when `type` is 'Pod'");
      continue;
    }
    for (const name of names) yield* nameErrors(`${path}.${field}[${name}]`, name);
  }
  const hasStorage = limit.min?.["storage"] !== undefined || limit.max?.["storage"] !== undefined;
  if (limit.type === "PersistentVolumeClaim" && !hasStorage) {
    const why = "either minimum or maximum storage value is required, but neither was provided";
    yield requiredField(`${path}.limits`, why);
  }
  const fields = [
    limit.max,
    limit.min,
    limit.maxLimitRequestRatio,
    ...(isPod ? [] : [limit.default, limit.defaultRequest]),
  ];
  const names = new Set(fields.flatMap((amounts) => Object.keys(amounts ?? {})));
  for (const name of names) yield* boundErrors(path, name, limit);
}

/** Validates the order of the bounds of one resource: min ≤ defaultRequest ≤ default ≤ max. */
function* boundErrors(path: string, name: string, limit: Limit): FieldErrors {
  const at = (field: string): string => `${path}.${field}[${name}]`;
  const [min, max] = [quantityNamed(limit.min, name), quantityNamed(limit.max, name)];
  const ratio = quantityNamed(limit.maxLimitRequestRatio, name);
  const [usual, request] = [quantityNamed(limit.default, name), quantityNamed(limit.defaultRequest, name)];
  const above = (a: number | string | undefined, b: number | string | undefined): boolean =>
    a !== undefined && b !== undefined && compareQuantities(toQuantity(a), toQuantity(b)) > 0;
  if (above(min, max)) yield invalidField(at("min"), min, `min value ${min} is greater than max value ${max}`);
  const requested = at("defaultRequest");
  if (above(min, request)) {
    yield invalidField(requested, request, `min value ${min} is greater than default request value ${request}`);
  }
  if (above(request, max)) {
    yield invalidField(requested, request, `default request value ${request} is greater than max value ${max}`);
  }
  if (above(request, usual)) {
    yield invalidField(
      requested,
      request,
      `default request value ${request} is greater than default limit value ${usual}`,
    );
  }
  if (above(min, usual))
    yield invalidField(at("default"), min, `min value ${min} is greater than default value ${usual}`);
  if (above(usual, max))
    yield invalidField(at("default"), max, `default value ${usual} is greater than max value ${max}`);
  if (above(1, ratio)) yield invalidField(at("maxLimitRequestRatio"), ratio, `ratio ${ratio} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const most = number(max) / number(min);
    if (number(ratio) > most) {
      yield invalidField(
        at("maxLimitRequestRatio"),
        ratio,
        `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`,
      );
    }
  }
  const differ = usual !== undefined && request !== undefined && (above(usual, request) || above(request, usual));
  if (differ && !isOvercommitAllowed(name)) {
    yield invalidField(
      requested,
      request,
      `default value ${usual} must equal to defaultRequest value ${request} in ${name}`,
    );
  }
}

function number(amount: number | string): number {
  return quantityToDouble(parseQuantity(String(amount)));
}

/** LimitRanges. */
export const limitRangeResource: Resource = builtinResource({
  kind: LimitRange,
  strategy: limitRangeStrategy,
});
