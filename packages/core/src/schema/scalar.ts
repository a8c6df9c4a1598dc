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

  /** Sets the minimum. */
  min(minimum: number): this {
    checkOrder("min", minimum, this.structural.maximum);
    return this.with({ minimum });
  }

  /** Sets the maximum. */
  max(maximum: number): this {
    checkOrder("min", this.structural.minimum, maximum);
    return this.with({ maximum });
  }

  /** Sets the exclusive minimum. */
  greaterThan(minimum: number): this {
    checkOrder("above", minimum, this.structural.maximum);
    return this.with({ minimum, exclusiveMinimum: true });
  }

  /** Sets the exclusive maximum. */
  lessThan(maximum: number): this {
    checkOrder("min", this.structural.minimum, maximum);
    return this.with({ maximum, exclusiveMaximum: true });
  }

  /** Requires a multiple of this number. */
  multipleOf(multipleOf: number): this {
    if (!(multipleOf > 0)) throw new DeclarationError(`multipleOf needs a number above 0, not ${multipleOf}`);
    return this.with({ multipleOf });
  }
}

/** A string with constraints. */
export class StringSchema extends Schema<string, string> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** Sets the minimum number of characters. */
  min(minLength: number): this {
    checkCount("min", minLength);
    checkOrder("min", minLength, this.structural.maxLength);
    return this.with({ minLength });
  }

  /** Sets the maximum number of characters. */
  max(maxLength: number): this {
    checkCount("max", maxLength);
    checkOrder("min", this.structural.minLength, maxLength);
    return this.with({ maxLength });
  }

  /**
   * Requires a match of a regular expression (RE2) anywhere in the string. Anchor it with `^` and `$` to match the
   * whole string.
   */
  pattern(pattern: string): this {
    const compiled = compilePattern(pattern);
    if (compiled.kind === "invalid") throw new DeclarationError(`the pattern ${pattern} is not RE2: ${compiled.why}`);
    return this.with({ pattern });
  }

  /** Requires a format that the server validates: `uri`, `email`, `ipv4`, `date-time`, `duration`, `byte`, … */
  format(format: string): this {
    if (!schemaFormats.has(format)) {
      const known = [...schemaFormats.keys()].join(", ");
      throw new DeclarationError(
        `the server does not validate the format ${JSON.stringify(format)}: use one of ${known}, or a pattern`,
      );
    }
    return this.with({ format });
  }
}

/** Throws a DeclarationError if the lower bound is above the upper one. */
export function checkOrder(what: string, low: number | undefined, high: number | undefined): void {
  if (low === undefined || high === undefined || low <= high) return;
  throw new DeclarationError(`minimum ${low} is above maximum ${high}: swap ${what} and max`);
}

/** Throws a DeclarationError if the count is not a non-negative integer. */
export function checkCount(what: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw new DeclarationError(`${what} must be a non-negative integer, not ${count}`);
}
