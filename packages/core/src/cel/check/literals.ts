import type { Overload } from "../declare/index.ts";
import { childExprs } from "../syntax/index.ts";
import type { Expr } from "../syntax/index.ts";
import { CelError } from "../value/index.ts";
import type { CelValue } from "../value/index.ts";
import type { CheckIssue, CheckResult } from "./checker.ts";

/**
 * Reports calls that always fail because of their literal arguments: `duration('x')`, `s.matches('(')`. The
 * specification makes them evaluation errors; reporting them at declaration is more useful.
 */
export function checkLiterals(expr: Expr, checked: CheckResult): readonly CheckIssue[] {
  const faults: CheckIssue[] = [];
  const pending: Expr[] = [expr];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    pending.push(...childExprs(node));
    const found = node.kind === "call" ? callFault(node, checked.overloads.get(node) ?? []) : undefined;
    if (found !== undefined) faults.push({ message: found.message, at: node.at });
  }
  return faults;
}

function callFault(expr: Extract<Expr, { kind: "call" }>, overloads: readonly Overload[]): CelError | undefined {
  const [only] = overloads;
  if (only === undefined || overloads.length > 1) return undefined;
  const isMember = only.parameters.length > expr.args.length;
  const args = isMember && expr.target !== undefined ? [expr.target, ...expr.args] : expr.args;
  const constants = args.map((arg) => (arg.kind === "literal" ? arg.value : undefined));
  const known = constants.filter((value): value is CelValue => value !== undefined);
  const special = only.specialize?.(constants)?.fault;
  if (special !== undefined || known.length < constants.length || known.length === 0) return special;
  const result = only.call?.(...known);
  return result instanceof CelError ? result : undefined;
}
