import { DeclarationError } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { requestRate } from "./request-rate.ts";
import { runOperators } from "./run-operators.ts";
import type { ManagerOptions } from "./run-operators.ts";
import type { ManagedOperator } from "./runtime.ts";

/** Several operators that run in one process. */
export interface Manager extends Runnable {
  readonly operators: readonly ManagedOperator[];
  readonly options: ManagerOptions;
}

/**
 * Combines operators in one process that share a cache, a lease and endpoints. Throws a `DeclarationError` if two
 * operators have the same kind, and for an invalid `qps` or `burst`.
 */
export function manager(operators: readonly ManagedOperator[], options: ManagerOptions = {}): Manager {
  const names = operators.map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new DeclarationError(`two operators reconcile the kind ${twice}`);
  requestRate(options);
  return {
    name: names.join(","),
    kinds: operators.flatMap(({ kinds }) => kinds),
    operators,
    options,
    start: (world) => runOperators(operators, world, options),
  };
}
