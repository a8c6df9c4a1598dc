import { CEL_COST_LIMIT, CEL_NONE, CelOptional } from "../cel/index.ts";
import type { CelValue } from "../cel/index.ts";
import { canonicalJson, isJsonObject } from "../json/index.ts";
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

/** A value before an update; absent on create, and where it cannot be matched with the value now. */
type Before = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "none" };

const NONE: Before = { kind: "none" };

/**
 * What the rules of a schema say against a value, and on updates against the step from the old one. The shape of both must have been
 * validated before. Rules that compare with the value before are only asked where there is one.
 */
export function checkRules(rules: RuleSet, value: unknown, old: unknown, path = ""): readonly FieldError[] {
  const run = new Run();
  run.check(rules, value, old === undefined ? NONE : { kind: "value", value: old }, path);
  return run.errors;
}

class Run {
  readonly errors: FieldError[] = [];
  #left = BUDGET;

  check(rules: RuleSet, value: unknown, before: Before, path: string): void {
    for (const compiled of rules.rules) this.#ask(compiled, rules, value, before, path);
    if (Array.isArray(value)) this.#items(rules, value, before, path);
    else if (isJsonObject(value)) this.#fields(rules, value, before, path);
  }

  #items(rules: RuleSet, value: readonly unknown[], before: Before, path: string): void {
    const { items, keys } = rules;
    if (items === undefined) return;
    const earlier = new Map<string, unknown>();
    if (keys !== undefined && before.kind === "value" && Array.isArray(before.value)) {
      for (const item of before.value as readonly unknown[]) earlier.set(keyText(item, keys), item);
    }
    for (const [index, item] of value.entries()) {
      const key = keyText(item, keys ?? []);
      const match: Before = keys !== undefined && earlier.has(key) ? { kind: "value", value: earlier.get(key) } : NONE;
      this.check(items, item, match, childPath(path, index));
    }
  }

  #fields(rules: RuleSet, value: Readonly<Record<string, unknown>>, before: Before, path: string): void {
    for (const [name, child] of Object.entries(value)) {
      const next = rules.properties.get(name) ?? rules.additionalProperties;
      if (next !== undefined && child !== undefined)
        this.check(next, child, member(before, name), childPath(path, name));
    }
  }

  #ask(compiled: CompiledRule, rules: RuleSet, value: unknown, before: Before, path: string): void {
    const { rule, program, isTransition } = compiled;
    const optional = rule.optionalOldSelf === true;
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
    const shownType = rules.type ?? "object";
    const said = rule.message?.trim() ?? rule.rule.trim();
    const detail =
      result.kind === "error" ? `${result.error.message} evaluating rule: ${said}` : messageOf(compiled, bindings);
    this.errors.push(toError(rule.reason, `${path}${rule.fieldPath ?? ""}`, shownType, detail));
  }
}

function messageOf(compiled: CompiledRule, bindings: Readonly<Record<string, CelValue>>): string {
  const made = compiled.message?.evaluate(bindings);
  if (made?.kind === "value" && typeof made.value === "string" && made.value.trim() !== "") return made.value.trim();
  return compiled.rule.message?.trim() ?? `failed rule: ${compiled.rule.rule.trim()}`;
}

function toError(reason: CompiledRule["rule"]["reason"], field: string, type: string, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return { reason, field, message: `Forbidden: ${detail}` };
    case "FieldValueRequired":
      return { reason, field, message: `Required value: ${detail}` };
    case "FieldValueDuplicate":
      return { reason, field, message: `Duplicate value: ${JSON.stringify(type)}` };
    default:
      return { reason: "FieldValueInvalid", field, message: `Invalid value: ${JSON.stringify(type)}: ${detail}` };
  }
}

function member(before: Before, name: string): Before {
  if (before.kind === "none" || !isJsonObject(before.value) || !Object.hasOwn(before.value, name)) return NONE;
  return { kind: "value", value: before.value[name] };
}

function keyText(item: unknown, keys: readonly string[]): string {
  if (!isJsonObject(item)) return "";
  return canonicalJson(keys.map((key) => (Object.hasOwn(item, key) ? item[key] : null)));
}
