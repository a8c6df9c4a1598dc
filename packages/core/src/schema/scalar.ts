import type { StructuralSchema } from "./structural.ts";
import { Schema } from "./schema.ts";

/** A number with bounds. */
export class NumberSchema<N extends number | bigint> extends Schema<N, N> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** The smallest allowed value. */
  min(minimum: number): NumberSchema<N> {
    return new NumberSchema({ ...this.structural, minimum });
  }

  /** The largest allowed value. */
  max(maximum: number): NumberSchema<N> {
    return new NumberSchema({ ...this.structural, maximum });
  }
}

/** A text with limits. */
export class StringSchema extends Schema<string, string> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** The least number of characters. */
  min(minLength: number): StringSchema {
    return new StringSchema({ ...this.structural, minLength });
  }

  /** The greatest number of characters. */
  max(maxLength: number): StringSchema {
    return new StringSchema({ ...this.structural, maxLength });
  }

  /** A regular expression that must match somewhere in the text; anchor it with `^` and `$` to mean the whole. */
  pattern(pattern: string): StringSchema {
    return new StringSchema({ ...this.structural, pattern });
  }
}
