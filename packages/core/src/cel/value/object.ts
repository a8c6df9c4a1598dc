import { runtimeName } from "./type.ts";
import type { CelType } from "./type.ts";

/** A value without a JavaScript equivalent. All other objects are lists or JSON objects. */
export abstract class CelObject {
  /** The result of `type(x)`. */
  abstract readonly celType: CelType;

  /** Reports equality. Called only with an object of the same class. */
  equals(other: CelObject): boolean {
    return this === other;
  }

  /** Returns the value as a JSON string. */
  toString(): string {
    return runtimeName(this.celType);
  }

  /** Reports whether this is the zero value of its type. */
  isZero(): boolean {
    return false;
  }
}
