import type { CheckResult } from "../check/index.ts";
import { candidateNames, resolveIdent, resolveFunction, resolveType } from "../declare/index.ts";
import type { Declarations } from "../declare/index.ts";
import { qualifiedName } from "../syntax/index.ts";
import type { Expr, FoldExpr } from "../syntax/index.ts";
import { CEL_DYN, CEL_OPTIONAL_NONE, CelError, CelOptional, noOverload, typeName } from "../value/index.ts";
import type { CelOutcome, CelType } from "../value/index.ts";
import { planIndex, planOptionalIndex, planOptionalSelect, planSelect, planPresenceTest } from "./access.ts";
import { planArithmetic, planNegate } from "./arithmetic.ts";
import { planCall } from "./call.ts";
import { planFold } from "./fold.ts";
import { constantExpr, dynamicExpr } from "./frame.ts";
import type { PlannedExpr, EvalFunction } from "./frame.ts";
import { planList, planMap, planStruct } from "./literal.ts";
import { planConditional, planLogic, planNot } from "./logic.ts";
import { planEqual, planIn, planOrder } from "./relation.ts";

/** A variable that is copied from the bindings to a slot before evaluation. */
export interface GlobalSlot {
  readonly slot: number;
  /** The candidate names of its binding, nearest first. */
  readonly names: readonly string[];
  readonly type: CelType;
  /** Whether a missing binding is not an error by itself: the name may also be a chain of fields. */
  readonly isTentative: boolean;
  readonly at: number;
}

/** A compiled program with the layout of its variables. */
export interface CelPlan {
  readonly run: EvalFunction;
  readonly globals: readonly GlobalSlot[];
  /** The initial variables. */
  readonly slots: readonly CelOutcome[];
}

/** Compiles an expression to closures. The result of type checking, if any, selects overloads in advance. */
export function planProgram(expr: Expr, declarations: Declarations, checked: CheckResult | undefined): CelPlan {
  return new Planner(declarations, checked).whole(expr);
}

interface Scope {
  readonly name: string;
  readonly slot: number;
  readonly outer: Scope | undefined;
}

type Call = Extract<Expr, { kind: "call" }>;
type Select = Extract<Expr, { kind: "select" }>;

class Planner {
  readonly #declarations: Declarations;
  readonly #checked: CheckResult | undefined;
  readonly #globals = new Map<string, GlobalSlot>();
  #slotCount = 0;
  #scope: Scope | undefined;

  constructor(declarations: Declarations, checked: CheckResult | undefined) {
    this.#declarations = declarations;
    this.#checked = checked;
  }

  whole(expr: Expr): CelPlan {
    const { run } = this.#plan(expr);
    return { run, globals: [...this.#globals.values()], slots: Array.from({ length: this.#slotCount }) };
  }

  #plan(expr: Expr): PlannedExpr {
    switch (expr.kind) {
      case "literal":
        return constantExpr(expr.value);
      case "ident":
        return this.#ident(expr.name, expr.at);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return planList(
          expr.items.map(({ value, optional }) => ({ value: this.#plan(value), optional, at: value.at })),
        );
      case "map":
        return planMap(
          expr.entries.map(({ key, value, optional, at }) => {
            return { key: this.#plan(key), value: this.#plan(value), optional, at };
          }),
        );
      case "struct":
        return dynamicExpr(this.#struct(expr));
      case "fold":
        return dynamicExpr(this.#fold(expr));
      case "bind":
        return dynamicExpr(this.#bind(expr));
      case "optMap":
        return dynamicExpr(this.#optMap(expr));
      default:
        return expr satisfies never;
    }
  }

  #local(name: string): number | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      if (scope.name === name) return scope.slot;
    }
    return undefined;
  }

  #newSlot(): number {
    this.#slotCount += 1;
    return this.#slotCount - 1;
  }

  #within<T>(variables: readonly (readonly [string, number])[], inside: () => T): T {
    const outer = this.#scope;
    for (const [name, slot] of variables) this.#scope = { name, slot, outer: this.#scope };
    const result = inside();
    this.#scope = outer;
    return result;
  }

  #ident(name: string, at: number): PlannedExpr {
    const local = this.#local(name);
    if (local !== undefined) return dynamicExpr(read(local));
    const known = this.#known(name, at);
    if (known !== undefined) return known;
    const names = candidateNames(this.#declarations.container, name);
    return dynamicExpr(read(this.#global({ names, type: CEL_DYN, isTentative: false, at })));
  }

  /** Returns the plan for a declared name. */
  #known(name: string, at: number): PlannedExpr | undefined {
    const named = resolveIdent(this.#declarations, name);
    if (named === undefined) return undefined;
    if (named.kind === "constant") return constantExpr(named.value);
    return dynamicExpr(read(this.#global({ names: [named.name], type: named.type, isTentative: false, at })));
  }

  #global(desired: Omit<GlobalSlot, "slot">): number {
    const key = `${desired.names.join(" ")} ${String(desired.isTentative)}`;
    const found = this.#globals.get(key) ?? { ...desired, slot: this.#newSlot() };
    this.#globals.set(key, found);
    return found.slot;
  }

  #select(expr: Select): PlannedExpr {
    const name = qualifiedName(expr);
    const isQualified = name !== undefined && this.#local(name.split(".")[0] ?? "") === undefined;
    const whole = isQualified ? this.#known(name, expr.at) : undefined;
    if (whole !== undefined) return whole;
    const operand = this.#plan(expr.operand).run;
    if (expr.mode === "test") return dynamicExpr(planPresenceTest(operand, expr.field, expr.at));
    if (expr.mode === "optional") return dynamicExpr(planOptionalSelect(operand, expr.field, expr.at));
    const selected = planSelect(operand, expr.field, expr.at);
    if (!isQualified || this.#checked !== undefined) return dynamicExpr(selected);
    const names = candidateNames(this.#declarations.container, name);
    const slot = this.#global({ names, type: CEL_DYN, isTentative: true, at: expr.at });
    return dynamicExpr((frame) => {
      const value = frame.slots[slot];
      return value === undefined ? selected(frame) : value;
    });
  }

  #call(expr: Call): PlannedExpr {
    const { name, target, at } = expr;
    const prefix = target === undefined ? undefined : qualifiedName(target);
    if (prefix !== undefined && this.#local(prefix.split(".")[0] ?? "") === undefined) {
      const found = resolveFunction(this.#declarations, `${prefix}.${name}`);
      if (found?.overloads.some(({ isMember }) => !isMember) === true)
        return this.#function(expr, found.name, expr.args);
    }
    const args = target === undefined ? expr.args : [target, ...expr.args];
    const operator = target === undefined ? this.#operator(expr) : undefined;
    if (operator !== undefined) return dynamicExpr(operator);
    const found = resolveFunction(this.#declarations, name);
    if (found === undefined) return dynamicExpr(() => new CelError(`unbound function: ${name}`, at));
    return this.#function(expr, found.name, args);
  }

  #function(expr: Call, name: string, args: readonly Expr[]): PlannedExpr {
    const isMember = args.length > expr.args.length;
    const declared = this.#declarations.functions.get(name) ?? [];
    const overloads =
      this.#checked?.overloads.get(expr) ?? declared.filter((overload) => overload.isMember === isMember);
    return dynamicExpr(
      planCall(
        name,
        overloads,
        args.map((arg) => this.#plan(arg)),
        expr.at,
      ),
    );
  }

  #operator({ name, args, at }: Call): EvalFunction | undefined {
    if (!/^[_@!-]/.test(name)) return undefined;
    const planned = args.map((arg) => this.#plan(arg));
    if (name === "_&&_" || name === "_||_") return planLogic(planned, name === "_||_", at);
    const [first, second, third] = planned;
    if (first === undefined) return undefined;
    if (second === undefined) {
      if (name === "!_") return planNot(first, at);
      return name === "-_" ? planNegate(first, at) : undefined;
    }
    if (third !== undefined) return name === "_?_:_" ? planConditional(first, second, third, at) : undefined;
    switch (name) {
      case "_==_":
        return planEqual(first, second, true);
      case "_!=_":
        return planEqual(first, second, false);
      case "@in":
        return planIn(first, second, at);
      case "_[_]":
        return planIndex(first.run, second.run, at);
      case "_[?_]":
        return planOptionalIndex(first.run, second.run, at);
      default:
        return planArithmetic(name, first, second, at) ?? planOrder(name, first, second, at);
    }
  }

  #struct(expr: Extract<Expr, { kind: "struct" }>): EvalFunction {
    const found = resolveType(this.#declarations, expr.type);
    const fields = expr.fields.map(({ name, value, optional, at }) => {
      return { name, value: this.#plan(value), optional, at };
    });
    return planStruct(found?.name ?? expr.type, found?.type, fields, this.#declarations.provider, expr.at);
  }

  #fold(expr: FoldExpr): EvalFunction {
    const range = this.#plan(expr.range).run;
    const [firstName, secondName] = expr.variables;
    const first = this.#newSlot();
    const second = secondName === undefined ? undefined : this.#newSlot();
    const variables: [string, number][] = [[firstName, first]];
    if (secondName !== undefined && second !== undefined) variables.push([secondName, second]);
    return this.#within(variables, () => {
      const filter = expr.filter === undefined ? undefined : this.#plan(expr.filter).run;
      const body = this.#plan(expr.body).run;
      return planFold({ fold: expr.fold, range, filter, body, first, second, at: expr.at });
    });
  }

  /** An error in the value is stored and raised when the variable is read. */
  #bind(expr: Extract<Expr, { kind: "bind" }>): EvalFunction {
    const value = this.#plan(expr.value).run;
    const slot = this.#newSlot();
    const body = this.#within([[expr.name, slot]], () => this.#plan(expr.body).run);
    return (frame) => {
      frame.slots[slot] = value(frame);
      return body(frame);
    };
  }

  #optMap(expr: Extract<Expr, { kind: "optMap" }>): EvalFunction {
    const { name, flat, at } = expr;
    const target = this.#plan(expr.target).run;
    const slot = this.#newSlot();
    const body = this.#within([[name, slot]], () => this.#plan(expr.body).run);
    const macro = flat ? "optFlatMap" : "optMap";
    return (frame) => {
      const optional = target(frame);
      frame.spent += 1;
      if (optional instanceof CelError) return optional;
      if (!(optional instanceof CelOptional)) return noOverload(macro, [typeName(optional)]).withOffset(at);
      if (optional.value === undefined) return CEL_OPTIONAL_NONE;
      frame.slots[slot] = optional.value;
      const result = body(frame);
      if (result instanceof CelError) return result;
      if (!flat) return new CelOptional(result);
      return result instanceof CelOptional ? result : noOverload(macro, [typeName(result)]).withOffset(at);
    };
  }
}

function read(slot: number): EvalFunction {
  return (frame) => {
    frame.spent += 1;
    const value = frame.slots[slot];
    return value === undefined ? null : value;
  };
}
