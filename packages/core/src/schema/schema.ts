import { DeclarationError } from "../error/index.ts";
import type { JsonValue } from "../json/index.ts";
import { applyDefaults } from "./default-and-prune.ts";
import type { StructuralSchema, ValidationRule, ValueRules } from "./structural.ts";
import { validate } from "./validate.ts";

/** Whether a field is required, optional, or defaulted by the server if absent. */
export type Presence = "required" | "optional" | "defaulted";

/** Options of a rule besides its expression. */
export type RuleOptions = Omit<ValidationRule, "rule">;

/**
 * The declaration of a field: its TypeScript type as read (`Out`) and as written (`In`), and the structural schema that
 * the server enforces. Immutable: each method returns a new schema. Call the constraints first, then `.nullable()`, and
 * `.optional()` or `.default()` last.
 */
export class Schema<out Out, out In, out P extends Presence = "required"> {
  readonly structural: StructuralSchema;
  readonly presence: P;
  /** Type inference only; never set. */
  declare readonly Out: Out;
  /** Type inference only; never set. */
  declare readonly In: In;

  constructor(structural: StructuralSchema, presence: P) {
    this.structural = structural;
    this.presence = presence;
  }

  /** Makes the field optional, without a default. */
  optional(): Schema<Out, In, "optional"> {
    if (this.presence === "defaulted") throw neverAbsent();
    return new Schema(this.structural, "optional");
  }

  /**
   * Makes the field optional, with a default. An explicit `0`, `false` or `""` is kept. The default of an object needs
   * only the fields that differ from their own defaults: `.default({})` applies all of them, also to a partial object.
   */
  default(value: In & JsonValue): Schema<Out, In, "defaulted"> {
    if (this.presence === "optional") throw neverAbsent();
    // Defaults of JSON data are JSON data.
    const whole = applyDefaults(this.structural, value) as JsonValue;
    const [problem] = validate(this.structural, whole, "default");
    if (problem !== undefined) {
      throw new DeclarationError(`the default is invalid: ${problem.field}: ${problem.message}`);
    }
    return new Schema({ ...this.structural, default: whole }, "defaulted");
  }

  /** Allows `null` as a value. */
  nullable(): Schema<Out | null, In | null, P> {
    if (this.structural.enum !== undefined) {
      throw new DeclarationError("an enum cannot be nullable: write .optional(), or add a value such as None");
    }
    return new Schema({ ...this.structural, nullable: true }, this.presence);
  }

  /** Sets the description shown by `kubectl explain`. */
  describe(description: string): this {
    return this.with({ description });
  }

  /** Adds a CEL rule on the value (`self`) and, on updates, the old value (`oldSelf`). */
  rule(rule: string, options: RuleOptions | string = {}): this {
    const said: RuleOptions = typeof options === "string" ? { message: options } : options;
    if (rule.trim() === "")
      throw new DeclarationError("a rule must be a CEL expression: write one such as self.min <= self.max");
    const present = this.structural["x-kubernetes-validations"] ?? [];
    return this.with({ "x-kubernetes-validations": [...present, { rule, ...said }] });
  }

  /**
   * Makes the value immutable once set. Adding or removing an optional field is not covered and needs a rule on its
   * parent.
   */
  immutable(): this {
    return this.rule("self == oldSelf", "field is immutable");
  }

  /** Requires at least one of these alternatives. */
  anyOf(...rules: readonly ValueRules[]): this {
    return this.with({ anyOf: atLeastTwo("anyOf", rules) });
  }

  /** Requires exactly one of these alternatives. */
  oneOf(...rules: readonly ValueRules[]): this {
    return this.with({ oneOf: atLeastTwo("oneOf", rules) });
  }

  /** Rejects values that meet these constraints. */
  not(rules: ValueRules): this {
    return this.with({ not: rules });
  }

  /** Returns a copy with the change applied. */
  protected with(change: Partial<StructuralSchema>): this {
    // Copies the class too: subclasses add methods, not state.
    const copy: this = Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, {
      structural: { ...this.structural, ...change },
    });
    return copy;
  }
}

/** A schema of any type. */
export type AnySchema = Schema<unknown, unknown, Presence>;

/** Type of a declared value, as read. */
export type Infer<S extends AnySchema> = S["Out"];

/** Type of a declared value, to be written. */
export type InferInput<S extends AnySchema> = S["In"];

function neverAbsent(): DeclarationError {
  return new DeclarationError("a field with a default is never absent: remove .optional()");
}

function atLeastTwo(name: string, rules: readonly ValueRules[]): readonly ValueRules[] {
  if (rules.length < 2) throw new DeclarationError(`${name} needs at least two alternatives`);
  return rules;
}
