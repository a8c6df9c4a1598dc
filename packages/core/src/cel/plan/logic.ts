import { CelError, noOverload, typeName } from "../value/index.ts";
import type { CelOutcome } from "../value/index.ts";
import type { PlannedExpr, EvalFunction } from "./frame.ts";

/**
 * `&&` (with `decisive` false) and `||` (with true): a decisive operand wins, even over errors of others; else the
 * first error; else the other value. Operands after a decisive one are not evaluated.
 */
export function planLogic(args: readonly PlannedExpr[], decisive: boolean, at: number): EvalFunction {
  const [first, second] = args.map(({ run }) => run);
  const name = decisive ? "_||_" : "_&&_";
  if (first !== undefined && second !== undefined && args.length === 2) {
    return (frame) => {
      const a = first(frame);
      if (a === decisive) return decisive;
      const b = second(frame);
      frame.spent += 1;
      if (a === !decisive && (b === true || b === false)) return b;
      if (b === decisive) return decisive;
      return a === !decisive ? toBoolError(name, b, at) : toBoolError(name, a, at);
    };
  }
  const runs = args.map(({ run }) => run);
  return (frame) => {
    let failure: CelError | undefined;
    for (const run of runs) {
      const value = run(frame);
      if (value === decisive) return decisive;
      frame.spent += 1;
      if (value !== !decisive) failure ??= toBoolError(name, value, at);
    }
    return failure ?? !decisive;
  };
}

/** Returns the error for a value that is not a bool. */
export function toBoolError(name: string, value: CelOutcome, at: number): CelError {
  return value instanceof CelError ? value : noOverload(name, [typeName(value)]).withOffset(at);
}

/** `c ? a : b`. Only the selected branch is evaluated. */
export function planConditional(
  condition: PlannedExpr,
  then: PlannedExpr,
  otherwise: PlannedExpr,
  at: number,
): EvalFunction {
  const [test, yes, no] = [condition.run, then.run, otherwise.run];
  return (frame) => {
    const value = test(frame);
    frame.spent += 1;
    if (value === true) return yes(frame);
    return value === false ? no(frame) : toBoolError("_?_:_", value, at);
  };
}

/** `!x`. */
export function planNot(operand: PlannedExpr, at: number): EvalFunction {
  const { run } = operand;
  return (frame) => {
    const value = run(frame);
    frame.spent += 1;
    return typeof value === "boolean" ? !value : toBoolError("!_", value, at);
  };
}
