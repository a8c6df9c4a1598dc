import { DeclarationError } from "../error/index.ts";
import { schemaFormats } from "../format/index.ts";
import { compilePattern } from "./pattern.ts";
import { Schema } from "./schema.ts";
import type { StructuralSchema } from "./structural.ts";

/** A number with bounds. */
export class NumberSchema<N extends number | bigint> extends Schema<N, N> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** The smallest allowed value. */
  min(minimum: number): this {
    checkOrder("min", minimum, this.structural.maximum);
    return this.with({ minimum });
  }

  /** The largest allowed value. */
  max(maximum: number): this {
    checkOrder("min", this.structural.minimum, maximum);
    return this.with({ maximum });
  }

  /** Larger than this. */
  above(minimum: number): this {
    checkOrder("above", minimum, this.structural.maximum);
    return this.with({ minimum, exclusiveMinimum: true });
  }

  /** Smaller than this. */
  below(maximum: number): this {
    checkOrder("min", this.structural.minimum, maximum);
    return this.with({ maximum, exclusiveMaximum: true });
  }

  /** A multiple of this. */
  multipleOf(multipleOf: number): this {
    if (!(multipleOf > 0)) throw new DeclarationError(`multipleOf needs a number above 0, not ${multipleOf}`);
    return this.with({ multipleOf });
  }
}

/** A text with limits. */
export class StringSchema extends Schema<string, string> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** The least number of characters. */
  min(minLength: number): this {
    checkCount("min", minLength);
    checkOrder("min", minLength, this.structural.maxLength);
    return this.with({ minLength });
  }

  /** The greatest number of characters. */
  max(maxLength: number): this {
    checkCount("max", maxLength);
    checkOrder("min", this.structural.minLength, maxLength);
    return this.with({ maxLength });
  }

  /** A regular expression (RE2) that must match somewhere in the text; anchor it with `^` and `$` to mean the whole. */
  pattern(pattern: string): this {
    const compiled = compilePattern(pattern);
    if (compiled.kind === "invalid") throw new DeclarationError(`the pattern ${pattern} is not RE2: ${compiled.why}`);
    return this.with({ pattern });
  }

  /** A format that the server checks: `uri`, `email`, `ipv4`, `date-time`, `duration`, `byte`, … */
  format(format: string): this {
    if (!schemaFormats.has(format)) {
      const known = [...schemaFormats.keys()].join(", ");
      throw new DeclarationError(
        `no server checks the format ${JSON.stringify(format)}: use one of ${known}, or a pattern`,
      );
    }
    return this.with({ format });
  }
}

/** Refuses a lower bound above an upper one. */
export function checkOrder(what: string, low: number | undefined, high: number | undefined): void {
  if (low === undefined || high === undefined || low <= high) return;
  throw new DeclarationError(`nothing is at least ${low} and at most ${high}: swap ${what} and max`);
}

/** Refuses a number of things that is no whole number. */
export function checkCount(what: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw new DeclarationError(`${what} counts: write a whole number from 0, not ${count}`);
}
