import { schemaFormats } from "../format/index.ts";
import { deepEqual, stringifyJson } from "../json/index.ts";
import type { StructuralSchema, ValidationRule } from "../schema/index.ts";
import type { ChangeSeverity, SchemaChange } from "./crd-change.ts";

/** What differs in the constraints on one value: enum, bounds, pattern, format, alternatives and rules in CEL. */
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

const FIX_FIRST = "change the objects first, or put it into a new version";

function enumChanges(before: StructuralSchema, after: StructuralSchema): Found {
  const [was, is] = [before.enum, after.enum];
  if (is === undefined)
    return was === undefined ? [] : [["compatible", "any value is allowed now, not only listed ones"]];
  const shown = (values: readonly unknown[]): string => values.map((value) => stringifyJson(value)).join(", ");
  if (was === undefined)
    return [["breaking", `only ${shown(is)} are allowed now: objects with other values are refused: ${FIX_FIRST}`]];
  const removed = was.filter((value) => !is.some((other) => deepEqual(value, other)));
  const added = is.filter((value) => !was.some((other) => deepEqual(value, other)));
  return [
    ...(removed.length === 0
      ? []
      : [
          [
            "breaking",
            `${shown(removed)} is no longer allowed: objects that have it are refused: ${FIX_FIRST}`,
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
  const said = (bound: number | undefined, open: boolean): string =>
    bound === undefined ? "none" : `${bound}${open ? " (not included)" : ""}`;
  const step = `${keyword} went from ${said(was, wasOpen)} to ${said(is, isOpen)}`;
  const isTighter =
    is !== undefined && (was === undefined || is * sign > was * sign || (is === was && isOpen && !wasOpen));
  if (isTighter) return [["breaking", `${step}: objects outside of it are refused: ${FIX_FIRST}`]];
  return [["compatible", `${step}, so more is allowed`]];
}

function isExclusive(schema: StructuralSchema, keyword: Bound["keyword"]): boolean {
  if (keyword === "minimum") return schema.exclusiveMinimum === true;
  return keyword === "maximum" && schema.exclusiveMaximum === true;
}

function multipleChanges({ multipleOf: was }: StructuralSchema, { multipleOf: is }: StructuralSchema): Found {
  if (was === is) return [];
  if (is === undefined) return [["compatible", `values need not be multiples of ${was} any more`]];
  if (was !== undefined && Number.isInteger(was / is))
    return [["compatible", `multiples of ${is} are allowed, not only of ${was}`]];
  return [["breaking", `only multiples of ${is} are allowed now: other values are refused: ${FIX_FIRST}`]];
}

function patternChanges({ pattern: was }: StructuralSchema, { pattern: is }: StructuralSchema): Found {
  if (was === is) return [];
  if (is === undefined) return [["compatible", `texts need not match ${was} any more`]];
  const what = was === undefined ? `texts must match ${is} now` : `the pattern went from ${was} to ${is}`;
  return [["breaking", `${what}: objects that do not match are refused: ${FIX_FIRST}`]];
}

function formatChanges({ format: was }: StructuralSchema, { format: is }: StructuralSchema): Found {
  if (was === is) return [];
  const step = `the format went from ${was ?? "none"} to ${is ?? "none"}`;
  if (was === "int32" && is !== "int32") {
    return [["risky", `${step}: programs that read 32 bits may overflow: look at those that read it`]];
  }
  const isChecked = is !== undefined && (is === "int32" || schemaFormats.has(is));
  if (!isChecked) return [["compatible", `${step}, which refuses no value`]];
  return [["breaking", `${step}: objects that do not fit are refused: ${FIX_FIRST}`]];
}

/** Alternatives are compared as they are written: a change in words that changes no meaning counts as one. */
function choiceChanges(before: StructuralSchema, after: StructuralSchema): Found {
  return (["anyOf", "oneOf", "allOf", "not"] as const).flatMap((keyword): Found => {
    const [was, is] = [before[keyword], after[keyword]];
    if (deepEqual(was, is)) return [];
    if (is === undefined) return [["compatible", `${keyword} was removed, so more is allowed`]];
    const covers = (large: unknown, small: unknown): boolean =>
      Array.isArray(large) &&
      Array.isArray(small) &&
      small.every((each: unknown) => large.some((other: unknown) => deepEqual(each, other)));
    const isLooser = (keyword === "anyOf" && covers(is, was)) || (keyword === "allOf" && covers(was, is));
    if (isLooser) return [["compatible", `${keyword} allows more`]];
    const what = was === undefined ? `${keyword} is new` : `${keyword} changed`;
    return [["breaking", `${what}: objects that do not fit it are refused: ${FIX_FIRST}`]];
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
        ? ["risky", `the rule ${rule.rule} is new or changed: some updates are refused now: look at who makes them`]
        : ["breaking", `the rule ${rule.rule} is new or changed: objects that break it are refused: ${FIX_FIRST}`],
    ),
    ...removed.map((rule): Found[number] => ["compatible", `the rule ${rule.rule} is gone`]),
    ...reworded.map((rule): Found[number] => [
      "compatible",
      `the rule ${rule.rule} has another message, reason or path`,
    ]),
  ];
}

/** Whether a rule only runs on updates: it names `oldSelf` outside of texts and does not say that it may be absent. */
function isTransition({ rule, optionalOldSelf }: ValidationRule): boolean {
  if (optionalOldSelf === true) return false;
  const withoutTexts = rule.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gu, '""');
  return /\boldSelf\b/u.test(withoutTexts);
}
