import type { Overload } from "../declare/index.ts";
import { children } from "../syntax/index.ts";
import type { Expr } from "../syntax/index.ts";
import { CelFault } from "../value/index.ts";
import type { CelValue } from "../value/index.ts";
import type { CheckFault, Checked } from "./checker.ts";

/**
 * Calls that fail whatever the data, because their arguments are literals: `duration('x')`, `s.matches('(')`. They are errors of
 * evaluation by the specification; who declares an expression would rather know at once.
 */
export function checkLiterals(expr: Expr, checked: Checked): readonly CheckFault[] {
  const faults: CheckFault[] = [];
  const pending: Expr[] = [expr];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    pending.push(...children(node));
    const found = node.kind === "call" ? callFault(node, checked.overloads.get(node) ?? []) : undefined;
    if (found !== undefined) faults.push({ message: found.message, at: node.at });
  }
  return faults;
}

function callFault(expr: Extract<Expr, { kind: "call" }>, overloads: readonly Overload[]): CelFault | undefined {
  const [only] = overloads;
  if (only === undefined || overloads.length > 1) return undefined;
  const isMember = only.parameters.length > expr.args.length;
  const args = isMember && expr.target !== undefined ? [expr.target, ...expr.args] : expr.args;
  const constants = args.map((arg) => (arg.kind === "literal" ? arg.value : undefined));
  const known = constants.filter((value): value is CelValue => value !== undefined);
  const special = only.specialize?.(constants)?.fault;
  if (special !== undefined || known.length < constants.length || known.length === 0) return special;
  const result = only.call?.(...known);
  return result instanceof CelFault ? result : undefined;
}
