import { isJsonObject } from "@levelset/core";
import { compileCustomCondition, TYPE_MAX } from "../rule/custom-condition.ts";
import type { CustomCondition } from "../rule/custom-condition.ts";
import type { FleetKind, ReferenceRule } from "./kind.ts";
import { ADAPTER_NAME_MAX } from "../report/parse-report.ts";
import { compileRollUp, ROLL_UP_EXPRESSIONS, expressionsForStatus } from "../rule/roll-up.ts";
import type { RollUp, RollUpName, RollUpExpressions } from "../rule/roll-up.ts";
import { specSchema } from "./spec-schema.ts";
import type { SchemaComponents, SpecSchema } from "./spec-schema.ts";

/** Maximum number of required adapters of a kind. */
export const REQUIRED_ADAPTERS_MAX = 64;

const NAME_MIN = 1;
const NAME_MAX = 100;

/**
 * Reads one entry of `entities`. Collects all problems; returns undefined if there is no usable kind. The caller
 * checks constraints across entries.
 */
export class EntityReader {
  readonly problems: string[] = [];
  readonly #entity: Readonly<Record<string, unknown>>;
  readonly #schemas: SchemaComponents | undefined;
  readonly #known = new Set<string>();
  #where: string;

  constructor(entity: unknown, index: number, schemas: SchemaComponents | undefined) {
    this.#where = `entities[${index}]`;
    this.#entity = isJsonObject(entity) ? entity : {};
    this.#schemas = schemas;
    if (!isJsonObject(entity)) this.#problem("must be an object");
  }

  read(): FleetKind | undefined {
    const kind = this.#text("kind", /^[A-Z][A-Za-z0-9]{0,99}$/, "a name such as NodePool");
    if (kind !== undefined) this.#where = kind;
    const plural = this.#text("plural", /^[a-z][a-z0-9-]{0,99}$/, "a path segment such as nodepools");
    const found = {
      parent: this.#parent(),
      requiredAdapters: this.#requiredAdapters(),
      references: this.#references(),
      specSchema: this.#specSchema(),
      conditions: this.#conditions(kind ?? ""),
      ...this.#nameLengths(),
    };
    const ready = this.#rollUp(kind ?? "", "ready");
    const available = this.#rollUp(kind ?? "", "available");
    this.#unknown(this.#entity, this.#known, "");
    if (kind === undefined || plural === undefined || ready === undefined || available === undefined) return undefined;
    return { kind, plural, ...found, rollUps: { ready, available } };
  }

  #parent(): FleetKind["parent"] {
    const kind = this.#member("parent_kind");
    const onDelete = this.#member("on_parent_delete");
    if (onDelete !== undefined && onDelete !== "restrict" && onDelete !== "cascade") {
      this.#problem("on_parent_delete: must be restrict or cascade");
    }
    if (kind === undefined || kind === "") {
      if (onDelete !== undefined) this.#problem("on_parent_delete: requires parent_kind");
      return undefined;
    }
    if (typeof kind !== "string") {
      this.#problem("parent_kind: must be the name of a kind");
      return undefined;
    }
    return { kind, onDelete: onDelete === "cascade" ? "cascade" : "restrict" };
  }

  #requiredAdapters(): readonly string[] {
    const names = this.#list("required_adapters").flatMap((name, index) => {
      const isName = typeof name === "string" && /[A-Za-z0-9]/.test(name) && name.length <= ADAPTER_NAME_MAX;
      if (!isName) this.#problem(`required_adapters[${index}]: must be the name of an adapter`);
      return isName ? [name] : [];
    });
    const twice = repeated(names);
    if (twice !== undefined) this.#problem(`required_adapters: duplicate ${twice}`);
    if (names.length > REQUIRED_ADAPTERS_MAX) {
      this.#problem(`required_adapters: at most ${REQUIRED_ADAPTERS_MAX} are allowed`);
    }
    return names.toSorted();
  }

  #references(): readonly ReferenceRule[] {
    const rules = this.#list("references").flatMap((entry, index) => this.#reference(entry, `references[${index}]`));
    const twice = repeated(rules.map(({ type }) => type));
    if (twice !== undefined) this.#problem(`references: duplicate ref_type ${twice}`);
    return rules;
  }

  #reference(entry: unknown, path: string): readonly ReferenceRule[] {
    const rule = this.#object(entry, path, ["ref_type", "target_kind", "min", "max"]);
    const { ref_type: type, target_kind: targetKind, min = 0, max = 0 } = rule;
    if (typeof type !== "string" || type === "") this.#problem(`${path}.ref_type: is missing`);
    if (typeof targetKind !== "string" || targetKind === "") this.#problem(`${path}.target_kind: is missing`);
    if (!isCount(min)) this.#problem(`${path}.min: must be an integer of at least 0`);
    if (!isCount(max)) this.#problem(`${path}.max: must be an integer of at least 0 (0 means unlimited)`);
    if (isCount(min) && isCount(max) && max !== 0 && max < min) this.#problem(`${path}: max is less than min`);
    if (typeof type !== "string" || typeof targetKind !== "string" || !isCount(min) || !isCount(max)) return [];
    return [{ type, targetKind, min, max: max === 0 ? undefined : max }];
  }

  #specSchema(): SpecSchema | undefined {
    const name = this.#member("spec_schema_name");
    const required = this.#member("require_spec_schema") ?? false;
    if (typeof required !== "boolean") this.#problem("require_spec_schema: must be true or false");
    if (name !== undefined && typeof name !== "string") this.#problem("spec_schema_name: must be a string");
    if (typeof name !== "string" || name === "") {
      if (required === true) this.#problem("require_spec_schema: requires spec_schema_name");
      return undefined;
    }
    const isAbsent = this.#schemas === undefined || !Object.hasOwn(this.#schemas, name);
    // A named schema may be missing unless it is required: the document may be older.
    if (isAbsent && required !== true) return undefined;
    const schema = specSchema(name, this.#schemas ?? {});
    if (typeof schema !== "string") return schema;
    this.#problem(schema);
    return undefined;
  }

  #conditions(kind: string): readonly CustomCondition[] {
    const compiled = this.#list("conditions").flatMap((entry, index): readonly CustomCondition[] => {
      const condition = this.#condition(kind, entry, `conditions[${index}]`);
      return condition === undefined ? [] : [condition];
    });
    const twice = repeated(compiled.map(({ type }) => type));
    if (twice !== undefined) this.#problem(`conditions: duplicate ${twice}`);
    return compiled.toSorted((a, b) => (a.type < b.type ? -1 : 1));
  }

  #condition(kind: string, entry: unknown, path: string): CustomCondition | undefined {
    const { type, when, output } = this.#object(entry, path, ["type", "when", "output"]);
    const parts = this.#object(output, `${path}.output`, ["status", "reason", "message"]);
    const isType = typeof type === "string" && /^[A-Z][A-Za-z0-9]*$/.test(type) && type.length <= TYPE_MAX;
    if (!isType) this.#problem(`${path}.type: must be in PascalCase, of at most ${TYPE_MAX} characters`);
    const texts = {
      when: this.#expression(when, `${path}.when`),
      status: this.#expression(parts["status"], `${path}.output.status`),
      reason: this.#expression(parts["reason"], `${path}.output.reason`),
      message: this.#expression(parts["message"], `${path}.output.message`),
    };
    if (!isType || Object.values(texts).includes("")) return undefined;
    return this.#compiling((problems) => compileCustomCondition(kind, { type, ...texts }, problems));
  }

  #expression(value: unknown, path: string): string {
    const { expression } = this.#object(value, path, ["expression"]);
    if (typeof expression === "string" && expression.trim() !== "") return expression;
    this.#problem(`${path}.expression: is missing`);
    return "";
  }

  #rollUp(kind: string, name: RollUpName): RollUp | undefined {
    const configured = this.#object(this.#member("aggregation") ?? {}, "aggregation", ["ready", "available"])[name];
    const texts = configured === undefined ? ROLL_UP_EXPRESSIONS[name] : this.#rollUpTexts(name, configured);
    return this.#compiling((problems) => compileRollUp(kind, name, texts, problems));
  }

  /** A string is the status expression only; an object may replace each expression. */
  #rollUpTexts(name: RollUpName, configured: unknown): RollUpExpressions {
    if (typeof configured === "string") return expressionsForStatus(name, configured);
    const keys = ["status", "observed_generation", "reason", "message"];
    const parts = this.#object(configured, `aggregation.${name}`, keys);
    for (const key of keys) {
      const part = parts[key];
      if (part !== undefined && typeof part !== "string")
        this.#problem(`aggregation.${name}.${key}: must be an expression`);
    }
    const text = (key: string): string | undefined => (typeof parts[key] === "string" ? parts[key] : undefined);
    const status = text("status");
    const base = status === undefined ? ROLL_UP_EXPRESSIONS[name] : expressionsForStatus(name, status);
    return {
      status: base.status,
      observedGeneration: text("observed_generation") ?? base.observedGeneration,
      reason: text("reason") ?? base.reason,
      message: text("message") ?? base.message,
    };
  }

  #nameLengths(): { readonly nameMin: number; readonly nameMax: number } {
    const nameMin = this.#member("name_min_len") ?? NAME_MIN;
    const nameMax = this.#member("name_max_len") ?? NAME_MAX;
    if (isCount(nameMin) && isCount(nameMax) && nameMin >= 1 && nameMin <= nameMax && nameMax <= NAME_MAX) {
      return { nameMin, nameMax };
    }
    this.#problem(`name_min_len, name_max_len: must be in order, from ${NAME_MIN} to ${NAME_MAX}`);
    return { nameMin: NAME_MIN, nameMax: NAME_MAX };
  }

  #compiling<T>(compile: (problems: string[]) => T): T {
    const problems: string[] = [];
    const compiled = compile(problems);
    for (const problem of problems) this.#problem(problem);
    return compiled;
  }

  #problem(text: string): void {
    this.problems.push(`${this.#where}: ${text}`);
  }

  #member(key: string): unknown {
    this.#known.add(key);
    return this.#entity[key] ?? undefined;
  }

  #text(key: string, pattern: RegExp, example: string): string | undefined {
    const value = this.#member(key);
    if (typeof value === "string" && pattern.test(value)) return value;
    this.#problem(value === undefined || value === "" ? `${key}: is missing` : `${key}: must be ${example}`);
    return undefined;
  }

  #list(key: string): readonly unknown[] {
    const value = this.#member(key);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.#problem(`${key}: must be a list`);
    return [];
  }

  #object(value: unknown, path: string, keys: readonly string[]): Readonly<Record<string, unknown>> {
    if (!isJsonObject(value)) {
      this.#problem(value === undefined ? `${path}: is missing` : `${path}: must be an object`);
      return {};
    }
    this.#unknown(value, new Set(keys), `${path}.`);
    return value;
  }

  #unknown(value: Readonly<Record<string, unknown>>, known: ReadonlySet<string>, prefix: string): void {
    for (const key of Object.keys(value)) if (!known.has(key)) this.#problem(`${prefix}${key}: unknown field`);
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
