import { CEL_COST_LIMIT, CEL_OPTIONAL_NONE, CelOptional } from "../cel/index.ts";
import type { CelValue } from "../cel/index.ts";
import { deepEqual, isJsonObject, stringifyJson } from "../json/index.ts";
import { oldValueOf, oldField, correlateItems } from "./old-value.ts";
import type { OldValue } from "./old-value.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import type { CompiledRule, RuleSet } from "./rule-set.ts";

/** Cost budget of all rules of one object (`RuntimeCELCostBudget`, k8s.io/apiserver/pkg/apis/cel/config.go). */
const BUDGET = 10 * CEL_COST_LIMIT;

/** Validation errors after which rules are not evaluated. */
const BLOCKING: ReadonlySet<FieldError["reason"]> = new Set<FieldError["reason"]>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Reports whether a validation error prevents the evaluation of rules. */
export function isBlockingError(error: FieldError): boolean {
  return BLOCKING.has(error.reason);
}

/**
 * Evaluates the rules of a schema on a value, and on updates the transition rules against the old value. Both values
 * must be valid in shape. Transition rules are evaluated only if there is an old value. Other rules tolerate existing
 * violations that are unchanged.
 */
export function checkRules(rules: RuleSet, value: unknown, old: unknown, path = ""): readonly FieldError[] {
  const run = new Run();
  const before = oldValueOf(old);
  run.check(rules, value, { old: before, matched: { value, before } }, path);
  return run.errors;
}

/** The old value that a value is compared with. */
interface Past {
  /** The old value, for transition rules. */
  readonly old: OldValue;
  /** The nearest enclosing value, itself included, that can be correlated with an old one. */
  readonly matched: { readonly value: unknown; readonly before: OldValue };
}

function isUnchanged({ matched: { value, before } }: Past): boolean {
  return before.kind === "value" && deepEqual(value, before.value);
}

class Run {
  readonly errors: FieldError[] = [];
  #left = BUDGET;

  check(rules: RuleSet, value: unknown, past: Past, path: string): void {
    for (const compiled of rules.rules) this.#ask(compiled, rules, value, past, path);
    if (Array.isArray(value)) this.#items(rules, value, past, path);
    else if (isJsonObject(value)) this.#fields(rules, value, past, path);
  }

  #items(rules: RuleSet, value: readonly unknown[], past: Past, path: string): void {
    const { items, keys } = rules;
    if (items === undefined) return;
    const find = correlateItems(past.old, keys);
    for (const [index, item] of value.entries())
      this.check(items, item, child(past, item, find(item)), childPath(path, index));
  }

  #fields(rules: RuleSet, value: Readonly<Record<string, unknown>>, past: Past, path: string): void {
    for (const [name, field] of Object.entries(value)) {
      const next = rules.properties.get(name) ?? rules.additionalProperties;
      if (next === undefined || field === undefined) continue;
      this.check(next, field, child(past, field, oldField(past.old, name)), childPath(path, name));
    }
  }

  #ask(compiled: CompiledRule, rules: RuleSet, value: unknown, past: Past, path: string): void {
    const { rule, program, isTransition } = compiled;
    const optional = rule.optionalOldSelf === true;
    const { old: before } = past;
    if (isTransition && before.kind === "none" && !optional) return;
    // Expressions accept JSON data; the compiled types determine how it is read.
    const self = value as CelValue;
    const old = before.kind === "none" ? CEL_OPTIONAL_NONE : (before.value as CelValue);
    const oldSelf = optional && before.kind === "value" ? new CelOptional(old) : old;
    const bindings = { self, oldSelf };
    if (this.#left <= 0) return;
    const result = program.evaluate(bindings, { costLimit: Math.min(CEL_COST_LIMIT, this.#left) });
    this.#left -= result.cost;
    if (result.kind === "value" && result.value === true) return;
    if (!isTransition && isUnchanged(past)) return;
    const type = rules.type ?? "object";
    const detailText = rule.message?.trim() ?? rule.rule.trim();
    if (result.kind === "error") {
      const detail = `${result.error.message} evaluating rule: ${detailText}`;
      this.errors.push({ reason: "FieldValueInvalid", field: path, message: `Invalid value: "${type}": ${detail}` });
      return;
    }
    const field = `${path}${rule.fieldPath ?? ""}`;
    this.errors.push(toError(rule.reason, field, shown(type, value), messageOf(compiled, bindings)));
  }
}

function child(past: Past, value: unknown, before: OldValue): Past {
  return { old: before, matched: before.kind === "none" ? past.matched : { value, before } };
}

function messageOf(compiled: CompiledRule, bindings: Readonly<Record<string, CelValue>>): string {
  const made = compiled.message?.evaluate(bindings);
  if (made?.kind === "value" && typeof made.value === "string" && made.value.trim() !== "") return made.value.trim();
  return compiled.rule.message?.trim() ?? `failed rule: ${compiled.rule.rule.trim()}`;
}

/** Formats a value for a message. Objects and lists are omitted. */
function shown(type: string, value: unknown): string {
  return type === "object" || type === "array" ? "" : `${stringifyJson(value)}: `;
}

function toError(reason: CompiledRule["rule"]["reason"], field: string, value: string, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return { reason, field, message: `Forbidden: ${detail}` };
    case "FieldValueRequired":
      return { reason, field, message: `Required value: ${detail}` };
    case "FieldValueDuplicate":
      return { reason, field, message: `Duplicate value${value === "" ? "" : `: ${value.slice(0, -2)}`}` };
    default:
      return { reason: "FieldValueInvalid", field, message: `Invalid value: ${value}${detail}` };
  }
}
