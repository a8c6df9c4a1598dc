import type { CheckResult } from "../check/index.ts";
import { callCost, resolveFunction } from "../declare/index.ts";
import type { Declarations, Overload } from "../declare/index.ts";
import { qualifiedName } from "../syntax/index.ts";
import type { Expr, FoldExpr } from "../syntax/index.ts";
import { CEL_DYN, isList, isMap, mapSize, optionalElement } from "../value/index.ts";
import type { CelType, CelValue } from "../value/index.ts";
import { resultShape } from "./result.ts";
import { SCALAR, unionShape, shapeAt, sizedShape } from "./size.ts";
import type { SizedShape, SizeHints } from "./size.ts";

/** The minimum and maximum cost of an evaluation. `max` is Infinity if the data is unbounded. */
export interface CostEstimate {
  readonly min: number;
  readonly max: number;
}

/**
 * Estimates the cost of evaluating an expression, in the units that the planner counts: a variable, a selection and a
 * call cost 1; strings cost a tenth per character; a fold step costs 1 plus its body; creating a list costs 10, a map
 * 30, an object 40. The maximum holds for all data within the size hints.
 */
export function estimateCost(
  expr: Expr,
  declarations: Declarations,
  checked: CheckResult | undefined,
  sizes: SizeHints,
): CostEstimate {
  const { min, max } = new Estimator(declarations, checked, sizes).estimate(expr);
  return { min, max };
}

interface Estimated extends CostEstimate {
  readonly shape: SizedShape;
}

type Call = Extract<Expr, { kind: "call" }>;
type Scope = ReadonlyMap<string, SizedShape>;

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

class Estimator {
  readonly #declarations: Declarations;
  readonly #checked: CheckResult | undefined;
  readonly #sizes: SizeHints;
  #scope: Scope = new Map();

  constructor(declarations: Declarations, checked: CheckResult | undefined, sizes: SizeHints) {
    this.#declarations = declarations;
    this.#checked = checked;
    this.#sizes = sizes;
  }

  estimate(expr: Expr): Estimated {
    switch (expr.kind) {
      case "literal":
        return { min: 0, max: 0, shape: literalShape(expr.value) };
      case "ident":
        return { min: 0, max: 1, shape: this.#scope.get(expr.name) ?? shapeAt(expr.name, this.#sizes) };
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list": {
        const parts = expr.items.map(({ value }) => this.estimate(value));
        const shape = { size: parts.length, part: (): SizedShape => unionShape(parts.map((part) => part.shape)) };
        return { ...sum(parts, 0, LIST_COST), shape };
      }
      case "map": {
        const keys = expr.entries.map(({ key }) => this.estimate(key));
        const values = expr.entries.map(({ value }) => this.estimate(value));
        const part = (name: string): SizedShape =>
          unionShape((name === "[keys]" ? keys : values).map(({ shape }) => shape));
        return { ...sum([...keys, ...values], 0, MAP_COST), shape: { size: keys.length, part } };
      }
      case "struct":
        return {
          ...sum(
            expr.fields.map(({ value }) => this.estimate(value)),
            0,
            STRUCT_COST,
          ),
          shape: sizedShape(Infinity, sizedShape(Infinity)),
        };
      case "fold":
        return this.#fold(expr);
      case "bind": {
        const value = this.estimate(expr.value);
        const body = this.#within([[expr.name, value.shape]], () => this.estimate(expr.body));
        return { ...sum([value, body], 0, 0), shape: body.shape };
      }
      case "optMap": {
        const target = this.estimate(expr.target);
        const body = this.#within([[expr.name, target.shape]], () => this.estimate(expr.body));
        return { min: target.min + 1, max: target.max + body.max + 1, shape: body.shape };
      }
      default:
        return expr satisfies never;
    }
  }

  #within<T>(variables: readonly (readonly [string, SizedShape])[], inside: () => T): T {
    const outer = this.#scope;
    this.#scope = new Map([...outer, ...variables]);
    const result = inside();
    this.#scope = outer;
    return result;
  }

  #select(expr: Extract<Expr, { kind: "select" }>): Estimated {
    const operand = this.estimate(expr.operand);
    const type = this.#type(expr.operand);
    const isMap = (optionalElement(type) ?? type).kind === "map";
    const shape = expr.mode === "test" ? SCALAR : operand.shape.part(isMap ? "[*]" : expr.field);
    return { min: 0, max: operand.max + 1, shape }; // a dotted variable is not a selection
  }

  #fold(expr: FoldExpr): Estimated {
    const range = this.estimate(expr.range);
    const [first, second] = expr.variables;
    const isMap = this.#type(expr.range).kind === "map";
    const [key, value] = [range.shape.part("[keys]"), range.shape.part("[*]")];
    const single = this.#type(expr.range).kind === "list" ? value : isMap ? key : unionShape([key, value]);
    const variables: [string, SizedShape][] =
      second === undefined
        ? [[first, single]]
        : [
            [first, key],
            [second, value],
          ];
    return this.#within(variables, () => {
      const filter = expr.filter === undefined ? undefined : this.estimate(expr.filter);
      const body = this.estimate(expr.body);
      const steps = range.shape.size;
      const perStep = 1 + (filter?.max ?? 0) + body.max;
      const extra = expr.fold === "sortBy" ? steps * Math.log2(steps + 1) : 0;
      const keys = this.#type(expr.range).kind === "list" ? 0 : steps;
      return {
        min: range.min,
        max: range.max + times(steps, perStep) + extra + keys,
        shape: foldShape(expr, steps, single, key, body.shape),
      };
    });
  }

  #call(expr: Call): Estimated {
    const args = expr.args.map((arg) => this.estimate(arg));
    switch (expr.name) {
      case "_&&_":
      case "_||_":
        return { min: args[0]?.min ?? 0, max: sum(args, 0, args.length).max, shape: SCALAR };
      case "_?_:_": {
        const [condition = NOTHING, then = NOTHING, otherwise = NOTHING] = args;
        return {
          min: condition.min + 1 + Math.min(then.min, otherwise.min),
          max: condition.max + 1 + Math.max(then.max, otherwise.max),
          shape: unionShape([then.shape, otherwise.shape]),
        };
      }
      case "_==_":
      case "_!=_":
        return { ...sum(args, 1, 1 + this.#equality(expr, args)), shape: SCALAR };
      case "@in":
        return { ...sum(args, 1, 1 + this.#membership(expr, args)), shape: SCALAR };
      case "_[_]":
      case "_[?_]":
        return { ...sum(args, 1, 1), shape: args[0]?.shape.part("[*]") ?? SCALAR };
      default:
        return this.#function(expr, args);
    }
  }

  #function(expr: Call, args: readonly Estimated[]): Estimated {
    const target = expr.target === undefined || this.#isNamespace(expr) ? undefined : this.estimate(expr.target);
    const all = target === undefined ? args : [target, ...args];
    const sizes = all.map(({ shape }) => shape.size);
    const overloads = this.#overloads(expr, all.length);
    const constants = (target === undefined ? expr.args : [expr.target, ...expr.args]).map((arg) =>
      arg?.kind === "literal" ? arg.value : undefined,
    );
    const shape = resultShape(
      expr.name,
      all.map((arg) => arg.shape),
      this.#type(expr),
    );
    const nodes = target === undefined || expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    const costs = overloads.map(({ cost, specialize, callWithCost }) => {
      if (cost === "one") return 1;
      const pattern = specialize?.(constants)?.weight;
      const own = callCost(cost, pattern === undefined ? sizes : sizes.with(1, pattern)) + shape.size;
      return callWithCost === undefined ? own : times(own, 1 + this.#elementWeight(nodes, all));
    });
    const own = operatorCost(expr.name, sizes) ?? Math.max(1, ...costs);
    return { ...sum(all, 0, own), shape };
  }

  /** Returns the cost of comparing two elements of the arguments. */
  #elementWeight(nodes: readonly Expr[], args: readonly Estimated[]): number {
    const weights = args.map(({ shape }, index) => {
      const type = this.#type(nodes[index] ?? NO_EXPR);
      return type.kind === "list" ? weight(shape.part("[*]"), type.element, 0) * 1.4 : 0;
    });
    return Math.max(0, ...weights);
  }

  #isNamespace({ target, name }: Call): boolean {
    const prefix = target === undefined ? undefined : qualifiedName(target);
    return prefix !== undefined && resolveFunction(this.#declarations, `${prefix}.${name}`) !== undefined;
  }

  #overloads(expr: Call, count: number): readonly Overload[] {
    const known = this.#checked?.overloads.get(expr);
    if (known !== undefined) return known;
    const prefix = expr.target === undefined ? undefined : qualifiedName(expr.target);
    const name = this.#isNamespace(expr) ? `${prefix ?? ""}.${expr.name}` : expr.name;
    const declared = resolveFunction(this.#declarations, name)?.overloads ?? [];
    return declared.filter(({ parameters }) => parameters.length === count);
  }

  #type(expr: Expr): CelType {
    return this.#checked?.typeOf(expr) ?? CEL_DYN;
  }

  /** A search compares with every element. */
  #membership(expr: Call, [item = NOTHING, container = NOTHING]: readonly Estimated[]): number {
    const each = weight(item.shape, this.#type(expr.args[0] ?? expr), 0);
    return times(container.shape.size, 1 + each * 1.4);
  }

  /** A comparison costs the size of the smaller side. */
  #equality(expr: Call, args: readonly Estimated[]): number {
    const types = expr.args.map((arg) => this.#type(arg));
    const weights = args.map(({ shape }, index) => weight(shape, types[index] ?? CEL_DYN, 0));
    const mayHaveKeys = types.every(({ kind }) => COMPOUND.has(kind));
    const keys = mayHaveKeys ? weights.reduce((total, each) => total + each * 0.2, 0) : 0;
    return Math.min(...weights) + keys;
  }
}

/** Types of values that are compared by key, or may contain such values. */
const COMPOUND: ReadonlySet<CelType["kind"]> = new Set(["list", "map", "struct", "dyn", "parameter", "opaque"]);

const NO_EXPR: Expr = { kind: "literal", at: 0, value: null };

const NOTHING: Estimated = { min: 0, max: 0, shape: SCALAR };

/** Levels of data of unknown type that are examined before a default applies. */
const DEPTH_MAX = 4;

function weight(shape: SizedShape, type: CelType, depth: number): number {
  switch (type.kind) {
    case "string":
    case "bytes":
      return shape.size * 0.1;
    case "list":
      return times(shape.size, 1 + weight(shape.part("[*]"), type.element, depth + 1));
    case "map":
      return times(shape.size, 1 + weight(shape.part("[*]"), type.value, depth + 1));
    case "struct": {
      const fields = [...(type.fields ?? [])];
      if (type.fields === undefined) return Infinity;
      return fields.reduce((sum, [name, field]) => sum + 1 + weight(shape.part(name), field.type, depth + 1), 0);
    }
    case "dyn":
    case "parameter":
      if (depth > DEPTH_MAX) return shape.size;
      return times(shape.size, 1 + weight(shape.part("[*]"), type, depth + 1));
    default:
      return 0;
  }
}

/** Returns the cost of an operator on values other than numbers; undefined for other functions. */
function operatorCost(name: string, sizes: readonly number[]): number | undefined {
  const [first = 0, second = 0] = sizes;
  if (name === "_+_") return 1 + first + second;
  if (name === "_<_" || name === "_<=_" || name === "_>_" || name === "_>=_") return 1 + Math.min(first, second) * 0.1;
  return /^(?:_.+_|[-!]_)$/.test(name) ? 1 : undefined;
}

function foldShape(
  { fold, body: { kind } }: FoldExpr,
  steps: number,
  element: SizedShape,
  key: SizedShape,
  body: SizedShape,
): SizedShape {
  switch (fold) {
    case "all":
    case "exists":
    case "existsOne":
      return SCALAR;
    case "filter":
    case "sortBy":
      return sizedShape(steps, element);
    case "map":
    case "transformList":
      return sizedShape(steps, body);
    case "transformMap":
      return { size: steps, part: (name) => (name === "[keys]" ? key : body) };
    case "transformMapEntry":
      return { ...body, size: times(steps, kind === "map" ? body.size : Infinity) };
    default:
      return fold satisfies never;
  }
}

function literalShape(value: CelValue): SizedShape {
  if (typeof value === "string" || value instanceof Uint8Array) return sizedShape(value.length);
  if (isList(value)) return { size: value.length, part: () => unionShape(value.map(literalShape)) };
  return typeof value === "object" && value !== null && isMap(value) ? sizedShape(mapSize(value)) : SCALAR;
}

function sum(parts: readonly CostEstimate[], min: number, max: number): CostEstimate {
  return {
    min: parts.reduce((total, part) => total + part.min, min),
    max: parts.reduce((total, part) => total + part.max, max),
  };
}

/** Multiplies with 0 × Infinity = 0. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}
