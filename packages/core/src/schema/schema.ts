import { DeclarationError } from "../error/index.ts";
import type { JsonValue } from "../json/index.ts";
import { applyDefaults } from "./shape.ts";
import type { StructuralSchema, ValidationRule, ValueRules } from "./structural.ts";
import { validate } from "./validate.ts";

/** Whether a field of an object must be given, may be left out, or is filled in by the server when left out. */
export type Presence = "required" | "optional" | "defaulted";

/** What may be said about a rule besides its expression. */
export type RuleOptions = Omit<ValidationRule, "rule">;

/**
 * A field's declaration: the TypeScript type that a reader sees (`Out`), the one that a writer gives (`In`) and the structural
 * schema that the server enforces, from one expression. Immutable: each method answers with a new schema. What narrows the value
 * comes first, `.nullable()`, then `.optional()` or `.default()` last.
 */
export class Schema<out Out, out In, out P extends Presence = "required"> {
  readonly structural: StructuralSchema;
  readonly presence: P;
  /** Only for inference; never set. */
  declare readonly Out: Out;
  /** Only for inference; never set. */
  declare readonly In: In;

  constructor(structural: StructuralSchema, presence: P) {
    this.structural = structural;
    this.presence = presence;
  }

  /** The field may be left out, and then stays absent. */
  optional(): Schema<Out, In, "optional"> {
    if (this.presence === "defaulted") throw neverAbsent();
    return new Schema(this.structural, "optional");
  }

  /**
   * The field may be left out, and then has this value. An explicit `0`, `false` or `""` stays what it is. Of a struct it is enough
   * to give what differs from the defaults of its fields: `.default({})` fills in all of them, and each one on its own where
   * a writer gives the struct in part.
   */
  default(value: In & JsonValue): Schema<Out, In, "defaulted"> {
    if (this.presence === "optional") throw neverAbsent();
    // Defaults of JSON data are JSON data.
    const whole = applyDefaults(this.structural, value) as JsonValue;
    const [problem] = validate(this.structural, whole, "default");
    if (problem !== undefined) {
      throw new DeclarationError(`the default does not fit its own field: ${problem.field}: ${problem.message}`);
    }
    return new Schema({ ...this.structural, default: whole }, "defaulted");
  }

  /** `null` is a value of its own. */
  nullable(): Schema<Out | null, In | null, P> {
    if (this.structural.enum !== undefined) {
      throw new DeclarationError("no server takes null for an enum: write .optional(), or add a value that says so");
    }
    return new Schema({ ...this.structural, nullable: true }, this.presence);
  }

  /** What the field is for, as `kubectl explain` shows it. */
  describe(description: string): this {
    return this.with({ description });
  }

  /** A rule in CEL about the value (`self`), on updates also about what it was (`oldSelf`). */
  rule(rule: string, options: RuleOptions | string = {}): this {
    const said: RuleOptions = typeof options === "string" ? { message: options } : options;
    if (rule.trim() === "")
      throw new DeclarationError("a rule is a CEL expression: write one such as self.min <= self.max");
    const present = this.structural["x-kubernetes-validations"] ?? [];
    return this.with({ "x-kubernetes-validations": [...present, { rule, ...said }] });
  }

  /** Once set, the value stays. Setting an optional field later, or removing it, needs a rule of its own on its parent. */
  immutable(): this {
    return this.rule("self == oldSelf", "field is immutable");
  }

  /** At least one of these must hold. */
  anyOf(...rules: readonly ValueRules[]): this {
    return this.with({ anyOf: atLeastTwo("anyOf", rules) });
  }

  /** Exactly one of these must hold. */
  oneOf(...rules: readonly ValueRules[]): this {
    return this.with({ oneOf: atLeastTwo("oneOf", rules) });
  }

  /** This must not hold. */
  not(rules: ValueRules): this {
    return this.with({ not: rules });
  }

  /** The same schema with something more said about it. */
  protected with(change: Partial<StructuralSchema>): this {
    // A copy of the same class: subclasses add methods, not state.
    const copy: this = Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, {
      structural: { ...this.structural, ...change },
    });
    return copy;
  }
}

/** Any schema, where its types do not matter. */
export type AnySchema = Schema<unknown, unknown, Presence>;

/** The type that a reader of a declared value sees. */
export type Infer<S extends AnySchema> = S["Out"];

/** The type that a writer of a declared value gives. */
export type InferInput<S extends AnySchema> = S["In"];

function neverAbsent(): DeclarationError {
  return new DeclarationError("a field with a default is never absent: leave out .optional()");
}

function atLeastTwo(name: string, rules: readonly ValueRules[]): readonly ValueRules[] {
  if (rules.length < 2) throw new DeclarationError(`${name} is a choice: give at least two alternatives`);
  return rules;
}
