import { DeclarationError } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { runManaged } from "./managed.ts";
import type { ManagerOptions } from "./managed.ts";
import type { Managed } from "./runtime.ts";

/** Several operators as one. */
export interface Manager extends Runnable {
  readonly operators: readonly Managed[];
  readonly options: ManagerOptions;
}

/** Several operators as one: they share a cache, a lease and endpoints. */
export function manager(operators: readonly Managed[], options: ManagerOptions = {}): Manager {
  const names = operators.map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new DeclarationError(`two operators are for the kind ${twice}`);
  return {
    name: names.join(","),
    kinds: operators.flatMap(({ kinds }) => kinds),
    operators,
    options,
    start: (world) => runManaged(operators, world, options),
  };
}
