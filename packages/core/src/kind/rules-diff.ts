import { schemaFormats } from "../format/index.ts";
import { deepEqual, stringifyJson } from "../json/index.ts";
import type { StructuralSchema, ValidationRule } from "../schema/index.ts";
import type { ChangeSeverity, SchemaChange } from "./crd-change.ts";

/** Compares the constraints on a value: enum, bounds, pattern, format, alternatives and CEL rules. */
export function diffRules(before: StructuralSchema, after: StructuralSchema, path: string): readonly SchemaChange[] {
  const found: (readonly [ChangeSeverity, string])[] = [
    ...enumChanges(before, after),
    ...LOWER.flatMap((keyword) => boundChanges(before, after, { keyword, sign: 1 })),
    ...UPPER.flatMap((keyword) => boundChanges(before, after, { keyword, sign: -1 })),
    ...multipleChanges(before, after),
    ...patternChanges(before, after),
    ...formatChanges(before, after),
    ...choiceChanges(before, after),
    ...celChanges(before["x-kubernetes-validations"] ?? [], after["x-kubernetes-validations"] ?? []),
  ];
  return found.map(([severity, message]) => ({ severity, path, message }));
}

type Found = readonly (readonly [ChangeSeverity, string])[];

const FIX_FIRST = "change the objects first, or make the change in a new version";

function enumChanges(before: StructuralSchema, after: StructuralSchema): Found {
  const [was, is] = [before.enum, after.enum];
  if (is === undefined)
    return was === undefined ? [] : [["compatible", "any value is allowed now, not only listed ones"]];
  const shown = (values: readonly unknown[]): string => values.map((value) => stringifyJson(value)).join(", ");
  if (was === undefined)
    return [["breaking", `only ${shown(is)} are allowed now: objects with other values are rejected: ${FIX_FIRST}`]];
  const removed = was.filter((value) => !is.some((other) => deepEqual(value, other)));
  const added = is.filter((value) => !was.some((other) => deepEqual(value, other)));
  return [
    ...(removed.length === 0
      ? []
      : [
          [
            "breaking",
            `${shown(removed)} is no longer allowed: objects that have it are rejected: ${FIX_FIRST}`,
          ] as const,
        ]),
    ...(added.length === 0 ? [] : [["compatible", `${shown(added)} is allowed too`] as const]),
  ];
}

const LOWER = ["minimum", "minLength", "minItems", "minProperties"] as const;
const UPPER = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;

interface Bound {
  readonly keyword: (typeof LOWER)[number] | (typeof UPPER)[number];
  /** 1 for a bound that tightens upwards, −1 for one that tightens downwards. */
  readonly sign: 1 | -1;
}

function boundChanges(before: StructuralSchema, after: StructuralSchema, { keyword, sign }: Bound): Found {
  const [was, is] = [before[keyword], after[keyword]];
  const [wasOpen, isOpen] = [isExclusive(before, keyword), isExclusive(after, keyword)];
  if (was === is && (wasOpen === isOpen || is === undefined)) return [];
  const formatBound = (bound: number | undefined, open: boolean): string =>
    bound === undefined ? "none" : `${bound}${open ? " (not included)" : ""}`;
  const step = `${keyword} changed from ${formatBound(was, wasOpen)} to ${formatBound(is, isOpen)}`;
  const isTighter =
    is !== undefined && (was === undefined || is * sign > was * sign || (is === was && isOpen && !wasOpen));
  if (isTighter) return [["breaking", `${step}: objects outside of the bound are rejected: ${FIX_FIRST}`]];
  return [["compatible", `${step}: more values are allowed`]];
}

function isExclusive(schema: StructuralSchema, keyword: Bound["keyword"]): boolean {
  if (keyword === "minimum") return schema.exclusiveMinimum === true;
  return keyword === "maximum" && schema.exclusiveMaximum === true;
}

function multipleChanges({ multipleOf: was }: StructuralSchema, { multipleOf: is }: StructuralSchema): Found {
  if (was === is) return [];
  if (is === undefined) return [["compatible", `values no longer have to be multiples of ${was}`]];
  if (was !== undefined && Number.isInteger(was / is))
    return [["compatible", `multiples of ${is} are allowed, not only of ${was}`]];
  return [["breaking", `only multiples of ${is} are allowed now: other values are rejected: ${FIX_FIRST}`]];
}

function patternChanges({ pattern: was }: StructuralSchema, { pattern: is }: StructuralSchema): Found {
  if (was === is) return [];
  if (is === undefined) return [["compatible", `strings no longer have to match ${was}`]];
  const what = was === undefined ? `strings must match ${is} now` : `the pattern changed from ${was} to ${is}`;
  return [["breaking", `${what}: objects that do not match are rejected: ${FIX_FIRST}`]];
}

function formatChanges({ format: was }: StructuralSchema, { format: is }: StructuralSchema): Found {
  if (was === is) return [];
  const step = `the format changed from ${was ?? "none"} to ${is ?? "none"}`;
  if (was === "int32" && is !== "int32") {
    return [["risky", `${step}: programs that read 32 bits may overflow: check the programs that read it`]];
  }
  const isChecked = is !== undefined && (is === "int32" || schemaFormats.has(is));
  if (!isChecked) return [["compatible", `${step}: no value is rejected`]];
  return [["breaking", `${step}: objects that do not fit are rejected: ${FIX_FIRST}`]];
}

/** Alternatives are compared as text: any textual change counts as a change. */
function choiceChanges(before: StructuralSchema, after: StructuralSchema): Found {
  return (["anyOf", "oneOf", "allOf", "not"] as const).flatMap((keyword): Found => {
    const [was, is] = [before[keyword], after[keyword]];
    if (deepEqual(was, is)) return [];
    if (is === undefined) return [["compatible", `${keyword} was removed: more values are allowed`]];
    const covers = (large: unknown, small: unknown): boolean =>
      Array.isArray(large) &&
      Array.isArray(small) &&
      small.every((each: unknown) => large.some((other: unknown) => deepEqual(each, other)));
    const isLooser = (keyword === "anyOf" && covers(is, was)) || (keyword === "allOf" && covers(was, is));
    if (isLooser) return [["compatible", `${keyword} allows more`]];
    const what = was === undefined ? `${keyword} is new` : `${keyword} changed`;
    return [["breaking", `${what}: objects that do not fit it are rejected: ${FIX_FIRST}`]];
  });
}

function celChanges(before: readonly ValidationRule[], after: readonly ValidationRule[]): Found {
  const isIn = (rules: readonly ValidationRule[], { rule, optionalOldSelf }: ValidationRule): boolean =>
    rules.some((each) => each.rule === rule && (each.optionalOldSelf === true) === (optionalOldSelf === true));
  const added = after.filter((rule) => !isIn(before, rule));
  const removed = before.filter((rule) => !isIn(after, rule));
  const reworded = after.filter((rule) => isIn(before, rule) && !before.some((each) => deepEqual(each, rule)));
  return [
    ...added.map((rule): Found[number] =>
      isTransition(rule)
        ? [
            "risky",
            `the rule ${rule.rule} is new or changed: some updates are rejected now: check the programs that make them`,
          ]
        : ["breaking", `the rule ${rule.rule} is new or changed: objects that break it are rejected: ${FIX_FIRST}`],
    ),
    ...removed.map((rule): Found[number] => ["compatible", `the rule ${rule.rule} was removed`]),
    ...reworded.map((rule): Found[number] => ["compatible", `the rule ${rule.rule} has a new message, reason or path`]),
  ];
}

/**
 * Reports whether a rule runs on updates only: it uses `oldSelf` outside of string literals and has no optionalOldSelf.
 */
function isTransition({ rule, optionalOldSelf }: ValidationRule): boolean {
  if (optionalOldSelf === true) return false;
  const withoutTexts = rule.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gu, '""');
  return /\boldSelf\b/u.test(withoutTexts);
}
