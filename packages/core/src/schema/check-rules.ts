import { CEL_COST_LIMIT, CEL_NONE, CelOptional } from "../cel/index.ts";
import type { CelValue } from "../cel/index.ts";
import { deepEqual, isJsonObject, stringifyJson } from "../json/index.ts";
import { beforeOf, fieldBefore, itemsBefore } from "./before.ts";
import type { Before } from "./before.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import type { CompiledRule, RuleSet } from "./rule-set.ts";

/** What all rules of one object may cost together, as in Kubernetes. */
const BUDGET = 10 * CEL_COST_LIMIT;

/** Faults of shape after which rules would only speak nonsense. */
const BLOCKING: ReadonlySet<FieldError["reason"]> = new Set<FieldError["reason"]>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Whether an error of validation keeps rules from being asked at all, as in the real server. */
export function blocksRules(error: FieldError): boolean {
  return BLOCKING.has(error.reason);
}

/**
 * What the rules of a schema say against a value, and on updates against the step from the old one. The shape of both must have been
 * validated before. Rules that compare with the value before are only asked where there is one; others tolerate what was wrong
 * before and is unchanged.
 */
export function checkRules(rules: RuleSet, value: unknown, old: unknown, path = ""): readonly FieldError[] {
  const run = new Run();
  const before = beforeOf(old);
  run.check(rules, value, { old: before, matched: { value, before } }, path);
  return run.errors;
}

/** What a value is compared with. */
interface Past {
  /** The value before, for rules that compare. */
  readonly old: Before;
  /** The nearest value around, itself included, that can be matched with one before. */
  readonly matched: { readonly value: unknown; readonly before: Before };
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
    const find = itemsBefore(past.old, keys);
    for (const [index, item] of value.entries())
      this.check(items, item, child(past, item, find(item)), childPath(path, index));
  }

  #fields(rules: RuleSet, value: Readonly<Record<string, unknown>>, past: Past, path: string): void {
    for (const [name, field] of Object.entries(value)) {
      const next = rules.properties.get(name) ?? rules.additionalProperties;
      if (next === undefined || field === undefined) continue;
      this.check(next, field, child(past, field, fieldBefore(past.old, name)), childPath(path, name));
    }
  }

  #ask(compiled: CompiledRule, rules: RuleSet, value: unknown, past: Past, path: string): void {
    const { rule, program, isTransition } = compiled;
    const optional = rule.optionalOldSelf === true;
    const { old: before } = past;
    if (isTransition && before.kind === "none" && !optional) return;
    // JSON data may be given to an expression as it is; the compiled types say how to read it.
    const self = value as CelValue;
    const old = before.kind === "none" ? CEL_NONE : (before.value as CelValue);
    const oldSelf = optional && before.kind === "value" ? new CelOptional(old) : old;
    const bindings = { self, oldSelf };
    if (this.#left <= 0) return;
    const result = program.evaluate(bindings, { costLimit: Math.min(CEL_COST_LIMIT, this.#left) });
    this.#left -= result.cost;
    if (result.kind === "value" && result.value === true) return;
    if (!isTransition && isUnchanged(past)) return;
    const type = rules.type ?? "object";
    const said = rule.message?.trim() ?? rule.rule.trim();
    if (result.kind === "error") {
      const detail = `${result.error.message} evaluating rule: ${said}`;
      this.errors.push({ reason: "FieldValueInvalid", field: path, message: `Invalid value: "${type}": ${detail}` });
      return;
    }
    const field = `${path}${rule.fieldPath ?? ""}`;
    this.errors.push(toError(rule.reason, field, shown(type, value), messageOf(compiled, bindings)));
  }
}

function child(past: Past, value: unknown, before: Before): Past {
  return { old: before, matched: before.kind === "none" ? past.matched : { value, before } };
}

function messageOf(compiled: CompiledRule, bindings: Readonly<Record<string, CelValue>>): string {
  const made = compiled.message?.evaluate(bindings);
  if (made?.kind === "value" && typeof made.value === "string" && made.value.trim() !== "") return made.value.trim();
  return compiled.rule.message?.trim() ?? `failed rule: ${compiled.rule.rule.trim()}`;
}

/** How a message shows a value: those with parts are left out. */
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
