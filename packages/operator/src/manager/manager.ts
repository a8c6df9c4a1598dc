import { DeclarationError } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { runOperators } from "./run-operators.ts";
import type { ManagerOptions } from "./run-operators.ts";
import type { ManagedOperator } from "./runtime.ts";

/** Several operators that run in one process. */
export interface Manager extends Runnable {
  readonly operators: readonly ManagedOperator[];
  readonly options: ManagerOptions;
}

/**
 * Combines operators in one process that share a cache, a lease and endpoints. Throws if two operators have the same
 * kind.
 */
export function manager(operators: readonly ManagedOperator[], options: ManagerOptions = {}): Manager {
  const names = operators.map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new DeclarationError(`two operators reconcile the kind ${twice}`);
  return {
    name: names.join(","),
    kinds: operators.flatMap(({ kinds }) => kinds),
    operators,
    options,
    start: (world) => runOperators(operators, world, options),
  };
}
