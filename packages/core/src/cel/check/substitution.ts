import { CEL_DYN, optionalElement } from "../value/index.ts";
import type { CelField, CelType } from "../value/index.ts";

/**
 * The bindings of type parameters in an expression. Assigning one type to another may bind parameters on either side. A
 * failed attempt is rolled back.
 */
export class Substitution {
  readonly #bound = new Map<string, CelType>();
  /** Bindings before this attempt, latest last. */
  #undo: [name: string, before: CelType | undefined][] = [];
  #fresh = 0;

  /** Returns a fresh type parameter. */
  fresh(): CelType {
    this.#fresh += 1;
    return { kind: "parameter", name: `_var${this.#fresh}` };
  }

  /** Assigns each `from[i]` to `to[i]`; all or none. */
  assignAll(to: readonly CelType[], from: readonly CelType[]): boolean {
    this.#undo = [];
    const fits = to.length === from.length && from.every((type, index) => this.#assign(type, to[index] ?? CEL_DYN));
    if (!fits) this.#rollBack();
    return fits;
  }

  /** Reports whether `from` is assignable to `to`, and binds parameters. */
  assign(to: CelType, from: CelType): boolean {
    return this.assignAll([to], [from]);
  }

  /** Returns the common supertype of both; undefined if it is dyn. */
  join(a: CelType, b: CelType): CelType | undefined {
    if (!this.assign(a, b)) return undefined;
    return isEqualOrMoreGeneral(a, b) ? a : b;
  }

  /** Substitutes bound type parameters; unbound ones stay, or become dyn. */
  apply(type: CelType, rest: "keep" | "dyn"): CelType {
    switch (type.kind) {
      case "parameter": {
        const bound = this.#bound.get(type.name);
        if (bound !== undefined) return this.apply(bound, rest);
        return rest === "dyn" ? CEL_DYN : type;
      }
      case "list":
        return isGeneric(type) ? { ...type, element: this.apply(type.element, rest) } : type;
      case "map":
        return { ...type, key: this.apply(type.key, rest), value: this.apply(type.value, rest) };
      case "type":
        return { ...type, of: this.apply(type.of, rest) };
      case "opaque":
        return { ...type, parameters: type.parameters.map((parameter) => this.apply(parameter, rest)) };
      default:
        return type;
    }
  }

  #assign(a: CelType, b: CelType): boolean {
    if (b.kind === "parameter") {
      const { fits, wasBound } = this.#bind(b.name, a, b);
      if (fits || wasBound) return fits;
    }
    if (a.kind === "parameter") return this.#bind(a.name, b, a).fits;
    if (isDyn(a) || isDyn(b)) return true;
    if (a.kind === "null") return isNullable(b);
    if (b.kind === "null") return isNullable(a);
    if (a.kind === "wrapper" || b.kind === "wrapper") return isSame(unwrapped(a), unwrapped(b));
    switch (a.kind) {
      case "list":
        return b.kind === "list" && this.#assign(a.element, b.element);
      case "map":
        return b.kind === "map" && this.#assign(a.key, b.key) && this.#assign(a.value, b.value);
      case "type":
        return b.kind === "type"; // types differ in their values, not in their type
      case "opaque": {
        const others = b.kind === "opaque" && b.name === a.name ? b.parameters : undefined;
        if (others === undefined || others.length !== a.parameters.length) return false;
        return a.parameters.every((parameter, index) => this.#assign(parameter, others[index] ?? CEL_DYN));
      }
      default:
        return isSame(a, b);
    }
  }

  /** Binds the parameter to `type`, or to the more general of `type` and its current binding. */
  #bind(name: string, type: CelType, self: CelType): { readonly fits: boolean; readonly wasBound: boolean } {
    if (type.kind === "parameter" && type.name === name) return { fits: true, wasBound: true };
    const bound = this.#bound.get(name);
    if (bound === undefined) {
      if (this.#occursIn(name, type)) return { fits: false, wasBound: false };
      this.#set(name, type);
      return { fits: true, wasBound: false };
    }
    if (isSame(bound, type)) return { fits: true, wasBound: true };
    if (!this.#assign(type, bound)) return { fits: false, wasBound: true };
    const general = isEqualOrMoreGeneral(type, bound) ? type : bound;
    if (!this.#occursIn(name, general) && !isSame(general, self)) this.#set(name, general);
    return { fits: true, wasBound: true };
  }

  #set(name: string, type: CelType): void {
    this.#undo.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #rollBack(): void {
    for (const [name, before] of this.#undo.toReversed()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
  }

  #occursIn(name: string, type: CelType): boolean {
    switch (type.kind) {
      case "parameter": {
        if (type.name === name) return true;
        const bound = this.#bound.get(type.name);
        return bound !== undefined && this.#occursIn(name, bound);
      }
      case "list":
        return this.#occursIn(name, type.element);
      case "map":
        return this.#occursIn(name, type.key) || this.#occursIn(name, type.value);
      case "type":
      case "wrapper":
        return this.#occursIn(name, type.of);
      case "opaque":
        return type.parameters.some((parameter) => this.#occursIn(name, parameter));
      default:
        return false;
    }
  }
}

/** Reports whether a type is unknown: dyn, or the type of an expression with an error. */
export function isDyn(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** Reports whether a type contains type parameters. */
export function isGeneric(type: CelType): boolean {
  switch (type.kind) {
    case "parameter":
      return true;
    case "list":
      return isGeneric(type.element);
    case "map":
      return isGeneric(type.key) || isGeneric(type.value);
    case "type":
      return isGeneric(type.of);
    case "opaque":
      return type.parameters.some(isGeneric);
    default:
      return false;
  }
}

function unwrapped(type: CelType): CelType {
  return type.kind === "wrapper" ? type.of : type;
}

function isNullable(type: CelType): boolean {
  const kinds: readonly CelType["kind"][] = ["null", "wrapper", "struct", "timestamp", "duration", "opaque"];
  return kinds.includes(type.kind);
}

/** Reports whether two types are identical. */
export function isSame(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "list":
      return b.kind === "list" && isSame(a.element, b.element);
    case "map":
      return b.kind === "map" && isSame(a.key, b.key) && isSame(a.value, b.value);
    case "type":
      return b.kind === "type" && isSame(a.of, b.of);
    case "wrapper":
      return b.kind === "wrapper" && isSame(a.of, b.of);
    case "struct":
      return b.kind === "struct" && a.name === b.name && haveSameFields(a.fields, b.fields);
    case "parameter":
      return b.kind === "parameter" && a.name === b.name;
    case "opaque": {
      const others = b.kind === "opaque" && b.name === a.name ? b.parameters : [];
      if (b.kind !== "opaque" || b.name !== a.name || others.length !== a.parameters.length) return false;
      return a.parameters.every((parameter, index) => isSame(parameter, others[index] ?? CEL_DYN));
    }
    default:
      return a.kind === b.kind;
  }
}

type Fields = ReadonlyMap<string, CelField> | undefined;

function haveSameFields(a: Fields, b: Fields): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  if (a.size !== b.size) return false;
  return [...a].every(([name, { type }]) => {
    const other = b.get(name);
    return other !== undefined && isSame(type, other.type);
  });
}

function isEqualOrMoreGeneral(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === "parameter") return true;
  if (isDyn(b) || b.kind === "parameter") return false;
  if (a.kind === "null" || b.kind === "null") return b.kind === "null";
  if (a.kind === "wrapper") return isSame(a.of, unwrapped(b));
  switch (a.kind) {
    case "list":
      return b.kind === "list" && isEqualOrMoreGeneral(a.element, b.element);
    case "map":
      return b.kind === "map" && isEqualOrMoreGeneral(a.key, b.key) && isEqualOrMoreGeneral(a.value, b.value);
    case "type":
      return b.kind === "type";
    case "opaque": {
      const others = b.kind === "opaque" ? b.parameters : [];
      return a.parameters.every((parameter, index) => isEqualOrMoreGeneral(parameter, others[index] ?? CEL_DYN));
    }
    default:
      return isSame(a, b);
  }
}

/** Unwraps an optional type, and reports whether it was one. */
export function unwrapOptional(type: CelType): { readonly type: CelType; readonly isOptional: boolean } {
  const element = optionalElement(type);
  return element === undefined ? { type, isOptional: false } : { type: element, isOptional: true };
}
