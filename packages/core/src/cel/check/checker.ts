import { resolveIdent, resolveFunction, resolveType } from "../declare/index.ts";
import type { Declarations, Overload } from "../declare/index.ts";
import { qualifiedName } from "../syntax/index.ts";
import type { Expr, FoldExpr } from "../syntax/index.ts";
import {
  CEL_BOOL,
  CEL_DYN,
  CEL_ERROR,
  CEL_INT,
  CEL_STRING,
  formatType,
  listType,
  mapType,
  optionalType,
  typeOf,
} from "../value/index.ts";
import type { CelType } from "../value/index.ts";
import { Substitution, isDyn, isGeneric, isSame, unwrapOptional } from "./substitution.ts";

/** A problem with an expression and its location. */
export interface CheckIssue {
  readonly message: string;
  readonly at: number;
}

/** The result of type checking, with the type of each node. */
export interface CheckResult {
  readonly type: CelType;
  readonly typeOf: (expr: Expr) => CelType | undefined;
  /** The overloads that match the argument types of a call. */
  readonly overloads: ReadonlyMap<Expr, readonly Overload[]>;
  readonly issues: readonly CheckIssue[];
}

/** Type-checks an expression and all its parts. */
export function check(expr: Expr, declarations: Declarations): CheckResult {
  return new Checker(declarations).whole(expr);
}

/** Local variables, innermost first. */
interface Scope {
  readonly name: string;
  readonly type: CelType;
  readonly outer: Scope | undefined;
}

type Select = Extract<Expr, { kind: "select" }>;
type Call = Extract<Expr, { kind: "call" }>;

class Checker {
  readonly #declarations: Declarations;
  readonly #known = new Substitution();
  readonly #types = new Map<Expr, CelType>();
  readonly #overloads = new Map<Expr, readonly Overload[]>();
  readonly #faults: CheckIssue[] = [];
  #scope: Scope | undefined;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  whole(expr: Expr): CheckResult {
    const type = this.#check(expr);
    const typeOf = (node: Expr): CelType | undefined => {
      const found = this.#types.get(node);
      return found === undefined ? undefined : this.#known.apply(found, "dyn");
    };
    return { type: this.#known.apply(type, "dyn"), typeOf, overloads: this.#overloads, issues: this.#faults };
  }

  #fail(message: string, at: number): CelType {
    this.#faults.push({ message, at });
    return CEL_ERROR;
  }

  /** Formats a type for a message. */
  #show(type: CelType): string {
    return formatType(this.#known.apply(type, "dyn"));
  }

  #check(expr: Expr): CelType {
    const type = this.#known.apply(this.#typeOf(expr), "keep");
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case "literal":
        return typeOf(expr.value);
      case "ident":
        return this.#ident(expr.name, expr.at);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "fold":
        return this.#fold(expr);
      case "bind":
        return this.#within([[expr.name, this.#check(expr.value)]], () => this.#check(expr.body));
      case "optMap":
        return this.#optMap(expr);
      default:
        return expr satisfies never;
    }
  }

  #local(name: string): CelType | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      if (scope.name === name) return scope.type;
    }
    return undefined;
  }

  #within<T>(variables: readonly (readonly [string, CelType])[], inside: () => T): T {
    const outer = this.#scope;
    for (const [name, type] of variables) this.#scope = { name, type, outer: this.#scope };
    const result = inside();
    this.#scope = outer;
    return result;
  }

  #ident(name: string, at: number): CelType {
    const found = this.#local(name) ?? resolveIdent(this.#declarations, name)?.type;
    return found ?? this.#undeclared(name, at);
  }

  #undeclared(name: string, at: number): CelType {
    return this.#fail(`undeclared reference to '${name}' (in container '${this.#declarations.container}')`, at);
  }

  /** Returns the declaration of a chain of selections as one dotted name, if its root is not a local variable. */
  #qualified(expr: Expr): CelType | undefined {
    const name = qualifiedName(expr);
    if (name === undefined || this.#local(name.split(".")[0] ?? "") !== undefined) return undefined;
    return resolveIdent(this.#declarations, name)?.type;
  }

  #select(expr: Select): CelType {
    const whole = this.#qualified(expr);
    if (whole !== undefined) return whole;
    const { type, isOptional } = unwrapOptional(this.#check(expr.operand));
    const field = this.#field(type, expr.field, expr.at);
    if (expr.mode === "test") return CEL_BOOL;
    return isOptional || expr.mode === "optional" ? optionalType(field) : field;
  }

  #field(type: CelType, name: string, at: number): CelType {
    switch (type.kind) {
      case "dyn":
      case "error":
        return type;
      case "parameter":
        this.#known.assign(CEL_DYN, type);
        return CEL_DYN;
      case "map":
        return this.#known.assign(type.key, CEL_STRING)
          ? type.value
          : this.#fail(`type '${this.#show(type)}' does not support field selection`, at);
      case "struct": {
        const found = type.fields?.get(name)?.type ?? this.#declarations.provider.findField(type.name, name);
        return found ?? this.#fail(`undefined field '${name}'`, at);
      }
      default:
        return this.#fail(`type '${this.#show(type)}' does not support field selection`, at);
    }
  }

  #call(expr: Call): CelType {
    if (expr.name === "_&&_" || expr.name === "_||_") return this.#logic(expr);
    const { target } = expr;
    const prefix = target === undefined ? undefined : qualifiedName(target);
    if (prefix !== undefined && this.#local(prefix.split(".")[0] ?? "") === undefined) {
      const found = resolveFunction(this.#declarations, `${prefix}.${expr.name}`);
      const globals = found?.overloads.filter(({ isMember }) => !isMember) ?? [];
      if (found !== undefined && globals.length > 0) return this.#resolve(expr, found.name, globals, expr.args);
    }
    const found = resolveFunction(this.#declarations, expr.name);
    const args = target === undefined ? expr.args : [target, ...expr.args];
    if (found !== undefined) {
      const fitting = found.overloads.filter(({ isMember }) => isMember === (target !== undefined));
      return this.#resolve(expr, found.name, fitting, args);
    }
    for (const arg of args) this.#check(arg);
    return this.#undeclared(expr.name, expr.at);
  }

  #logic(expr: Call): CelType {
    for (const arg of expr.args) {
      const type = this.#check(arg);
      if (!this.#known.assign(CEL_BOOL, type)) {
        this.#fail(`expected type 'bool' but found '${this.#show(type)}'`, arg.at);
      }
    }
    return CEL_BOOL;
  }

  #resolve(expr: Call, name: string, overloads: readonly Overload[], args: readonly Expr[]): CelType {
    const types = args.map((arg) => this.#check(arg));
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.parameters.length !== args.length) continue;
      const { parameters, result: declared } = this.#instance(overload);
      if (!this.#known.assignAll(parameters, types)) continue;
      fitting.push(overload);
      const type = this.#known.apply(declared, "keep");
      result = result === undefined || isSame(result, type) ? type : CEL_DYN;
    }
    this.#overloads.set(expr, fitting);
    if (result !== undefined) return result;
    if (types.some((type) => type.kind === "error")) return CEL_ERROR; // reported already
    const shown = types.map((type) => this.#show(type));
    const [target = "", ...rest] = shown;
    const applied = expr.target !== undefined && args.length > expr.args.length;
    const list = applied ? `${target}.(${rest.join(", ")})` : `(${shown.join(", ")})`;
    return this.#fail(`found no matching overload for '${name}' applied to '${list}'`, expr.at);
  }

  /** Returns a signature with fresh type parameters. */
  #instance(overload: Overload): { readonly parameters: readonly CelType[]; readonly result: CelType } {
    const types = overload.parameters.map(({ type }) => type);
    if (!types.some(isGeneric) && !isGeneric(overload.result)) return { parameters: types, result: overload.result };
    const own = new Map<string, CelType>();
    const rename = (type: CelType): CelType => {
      switch (type.kind) {
        case "parameter": {
          const known = own.get(type.name) ?? this.#known.fresh();
          own.set(type.name, known);
          return known;
        }
        case "list":
          return { ...type, element: rename(type.element) };
        case "map":
          return { ...type, key: rename(type.key), value: rename(type.value) };
        case "type":
          return { ...type, of: rename(type.of) };
        case "opaque":
          return { ...type, parameters: type.parameters.map(rename) };
        default:
          return type;
      }
    };
    return { parameters: types.map(rename), result: rename(overload.result) };
  }

  /** Returns the type of an element of a literal; for an optional element, the wrapped type. */
  #part(expr: Expr, optional: boolean): CelType {
    const found = this.#check(expr);
    if (!optional || isDyn(found)) return found;
    const { type, isOptional } = unwrapOptional(found);
    return isOptional ? type : this.#fail(`expected type 'optional_type' but found '${this.#show(found)}'`, expr.at);
  }

  #join(a: CelType | undefined, b: CelType): CelType {
    return a === undefined ? b : (this.#known.join(a, b) ?? CEL_DYN);
  }

  #list(expr: Extract<Expr, { kind: "list" }>): CelType {
    let element: CelType | undefined;
    for (const { value, optional } of expr.items) element = this.#join(element, this.#part(value, optional));
    return listType(element ?? this.#known.fresh());
  }

  #map(expr: Extract<Expr, { kind: "map" }>): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, optional } of expr.entries) {
      keys = this.#join(keys, this.#key(key));
      values = this.#join(values, this.#part(value, optional));
    }
    return mapType(keys ?? this.#known.fresh(), values ?? this.#known.fresh());
  }

  /** Returns the type of a map key. Rejects compound keys, whose map types could grow exponentially. */
  #key(expr: Expr): CelType {
    const type = this.#check(expr);
    const isCompound = ["list", "map", "struct", "opaque", "type"].includes(type.kind);
    return isCompound ? this.#fail(`unsupported key type: '${this.#show(type)}'`, expr.at) : type;
  }

  #struct(expr: Extract<Expr, { kind: "struct" }>): CelType {
    const found = resolveType(this.#declarations, expr.type);
    if (found === undefined) {
      for (const { value } of expr.fields) this.#check(value);
      return this.#undeclared(expr.type, expr.at);
    }
    for (const { name, value, optional, at } of expr.fields) {
      const given = this.#part(value, optional);
      const expected = this.#declarations.provider.findField(found.name, name);
      if (expected === undefined) {
        this.#fail(`undefined field '${name}'`, at);
      } else if (!this.#known.assign(expected, given)) {
        const [want, have] = [formatType(expected), this.#show(given)];
        this.#fail(`expected type of field '${name}' is '${want}' but provided type is '${have}'`, at);
      }
    }
    return found.type;
  }

  #fold(expr: FoldExpr): CelType {
    const range = this.#check(expr.range);
    const [key, value] = this.#rangeTypes(range, expr);
    const [first, second] = expr.variables;
    const variables: [string, CelType][] =
      second === undefined
        ? [[first, range.kind === "map" ? key : value]]
        : [
            [first, key],
            [second, value],
          ];
    return this.#within(variables, () => {
      if (expr.filter !== undefined) this.#expectBool(expr.filter);
      return this.#foldResult(expr, key, variables[0]?.[1] ?? CEL_DYN);
    });
  }

  /** Returns the types of key or index, and of value or element, of the range of a fold. */
  #rangeTypes(range: CelType, { range: { at } }: FoldExpr): readonly [CelType, CelType] {
    switch (range.kind) {
      case "list":
        return [CEL_INT, range.element];
      case "map":
        return [range.key, range.value];
      case "dyn":
      case "error":
        return [CEL_DYN, CEL_DYN];
      case "parameter":
        this.#known.assign(CEL_DYN, range);
        return [CEL_DYN, CEL_DYN];
      default: {
        const shown = this.#show(range);
        this.#fail(
          `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`,
          at,
        );
        return [CEL_ERROR, CEL_ERROR];
      }
    }
  }

  #foldResult(expr: FoldExpr, key: CelType, element: CelType): CelType {
    switch (expr.fold) {
      case "all":
      case "exists":
      case "existsOne":
        this.#expectBool(expr.body);
        return CEL_BOOL;
      case "filter":
        this.#expectBool(expr.body);
        return listType(element);
      case "map":
      case "transformList":
        return listType(this.#check(expr.body));
      case "sortBy":
        this.#check(expr.body);
        return listType(element);
      case "transformMap":
        return mapType(key, this.#check(expr.body));
      case "transformMapEntry": {
        const type = this.#check(expr.body);
        if (type.kind === "map" || isDyn(type)) return type.kind === "map" ? type : mapType(CEL_DYN, CEL_DYN);
        return this.#fail(`expected type 'map' but found '${this.#show(type)}'`, expr.body.at);
      }
      default:
        return expr.fold satisfies never;
    }
  }

  #expectBool(expr: Expr): void {
    const type = this.#check(expr);
    if (this.#known.assign(CEL_BOOL, type)) return;
    this.#fail(`expected type 'bool' but found '${this.#show(type)}'`, expr.at);
  }

  #optMap(expr: Extract<Expr, { kind: "optMap" }>): CelType {
    const found = this.#check(expr.target);
    const { type, isOptional } = unwrapOptional(found);
    if (!isOptional && !isDyn(found)) {
      const name = expr.flat ? "optFlatMap" : "optMap";
      return this.#fail(`found no matching overload for '${name}' applied to '${this.#show(found)}.(…)'`, expr.at);
    }
    const body = this.#within([[expr.name, isOptional ? type : CEL_DYN]], () => this.#check(expr.body));
    return expr.flat ? body : optionalType(body);
  }
}
