import { CelFault, noOverload, typeName } from "../value/index.ts";
import type { CelOutcome } from "../value/index.ts";
import type { Planned, Run } from "./frame.ts";

/**
 * `&&` (with `decisive` false) and `||` (with true): the decisive value on any side wins, even over errors on the other; else
 * the first error; else the other value. Sides after a decisive one do not run.
 */
export function planLogic(args: readonly Planned[], decisive: boolean, at: number): Run {
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
      return a === !decisive ? asFault(name, b, at) : asFault(name, a, at);
    };
  }
  const runs = args.map(({ run }) => run);
  return (frame) => {
    let failure: CelFault | undefined;
    for (const run of runs) {
      const value = run(frame);
      if (value === decisive) return decisive;
      frame.spent += 1;
      if (value !== !decisive) failure ??= asFault(name, value, at);
    }
    return failure ?? !decisive;
  };
}

/** The error of a value that should have been a bool. */
export function asFault(name: string, value: CelOutcome, at: number): CelFault {
  return value instanceof CelFault ? value : noOverload(name, [typeName(value)]).located(at);
}

/** `c ? a : b`. Only the chosen side runs. */
export function planConditional(condition: Planned, then: Planned, otherwise: Planned, at: number): Run {
  const [test, yes, no] = [condition.run, then.run, otherwise.run];
  return (frame) => {
    const value = test(frame);
    frame.spent += 1;
    if (value === true) return yes(frame);
    return value === false ? no(frame) : asFault("_?_:_", value, at);
  };
}

/** `!x`. */
export function planNot(operand: Planned, at: number): Run {
  const { run } = operand;
  return (frame) => {
    const value = run(frame);
    frame.spent += 1;
    return typeof value === "boolean" ? !value : asFault("!_", value, at);
  };
}
