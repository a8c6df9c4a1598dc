import { runtimeName } from "./type.ts";
import type { CelType } from "./type.ts";

/** A value that JavaScript has no own form for. Everything else that is an object is a list or a JSON object. */
export abstract class CelObject {
  /** What `type(x)` answers. */
  abstract readonly celType: CelType;

  /** Whether `==` holds. Only called with an object of the same class. */
  equals(other: CelObject): boolean {
    return this === other;
  }

  /** The value as text, where it has to be JSON. */
  toString(): string {
    return runtimeName(this.celType);
  }

  /** Whether this is what an unset value of its type would be. */
  isZero(): boolean {
    return false;
  }
}
