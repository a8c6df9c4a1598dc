import { macroKey, variableName } from "../../../packages/core/src/cel/syntax/index.ts";
import type { Expr, Macro, MacroCall } from "../../../packages/core/src/cel/syntax/index.ts";
import type { CelLibrary } from "../../../packages/core/src/cel/index.ts";

/** Whether a macro is called on the namespace with this name. */
function isOn(call: MacroCall, namespace: string): boolean {
  return call.target?.kind === "ident" && call.target.name === namespace;
}

function number(expr: Expr | undefined): number | undefined {
  return expr?.kind === "literal" && typeof expr.value === "number" ? expr.value : undefined;
}

/** `cel.block([a, b], result)`: binds the values in order, under names that are invalid in source code. */
const block: Macro = (call) => {
  const [list, result] = call.args;
  if (!isOn(call, "cel") || list?.kind !== "list" || result === undefined) return undefined;
  let body = result;
  for (const [index, { value }] of [...list.items.entries()].toReversed()) {
    body = { kind: "bind", at: call.at, name: `@index${index}`, value, body };
  }
  return body;
};

const index: Macro = (call) => {
  const position = number(call.args[0]);
  return isOn(call, "cel") && position !== undefined
    ? { kind: "ident", at: call.at, name: `@index${position}` }
    : undefined;
};

const iterVar =
  (prefix: string): Macro =>
  (call) => {
    const [depth, unique] = [number(call.args[0]), number(call.args[1])];
    if (!isOn(call, "cel") || depth === undefined || unique === undefined) return undefined;
    return { kind: "ident", at: call.at, name: `@${prefix}${depth}_${unique}` };
  };

/** `proto.getExt(msg, pkg.ext)` and `proto.hasExt`: a field with the extension's full name. */
const extension =
  (mode: "value" | "test"): Macro =>
  (call) => {
    const [operand, name] = call.args;
    if (!isOn(call, "proto") || operand === undefined || name === undefined) return undefined;
    const field = dotted(name, call);
    return { kind: "select", at: call.at, operand, field, mode };
  };

function dotted(expr: Expr, call: MacroCall): string {
  if (expr.kind === "select" && expr.mode === "value") return `${dotted(expr.operand, call)}.${expr.field}`;
  return variableName(expr, call);
}

/** Macros that only the suite uses: those of optimizers and of protobuf extensions. */
export const SUITE_MACROS: CelLibrary = {
  name: "suite",
  macros: new Map([
    [macroKey("block", 2, true), block],
    [macroKey("index", 1, true), index],
    [macroKey("iterVar", 2, true), iterVar("it")],
    [macroKey("accuVar", 2, true), iterVar("ac")],
    [macroKey("getExt", 2, true), extension("value")],
    [macroKey("hasExt", 2, true), extension("test")],
  ]),
};
