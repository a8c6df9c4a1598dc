import { DeclarationError } from "../error/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { StructuralSchema } from "./structural.ts";

/** Whether a field of an object must be given, may be left out, or is filled in by the server when left out. */
export type Presence = "required" | "optional" | "defaulted";

/**
 * A field's declaration: the TypeScript type that a reader sees (`Out`), the one that a writer gives (`In`) and the structural
 * schema that the server enforces, from one expression. Immutable: each method answers with a new schema.
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
    if (this.presence === "defaulted") {
      throw new DeclarationError("a field with a default is never absent: leave out .optional()");
    }
    return new Schema(this.structural, "optional");
  }

  /** The field may be left out, and then has this value. An explicit `0`, `false` or `""` stays what it is. */
  default(value: In & JsonValue): Schema<Out, In, "defaulted"> {
    if (this.presence === "optional") {
      throw new DeclarationError("a field with a default is never absent: leave out .optional()");
    }
    return new Schema({ ...this.structural, default: value }, "defaulted");
  }

  /** What the field is for, as `kubectl explain` shows it. */
  describe(description: string): Schema<Out, In, P> {
    return new Schema({ ...this.structural, description }, this.presence);
  }
}

/** Any schema, where its types do not matter. */
export type AnySchema = Schema<unknown, unknown, Presence>;

/** The type that a reader of a declared value sees. */
export type Infer<S extends AnySchema> = S["Out"];

/** The type that a writer of a declared value gives. */
export type InferInput<S extends AnySchema> = S["In"];
