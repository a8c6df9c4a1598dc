import { BACKOFFS, stateOfConditions } from "@levelset/core/internal";
import type { AnyCustomKind, Condition, ObjectState } from "@levelset/core";
import type { Cache } from "../cache/index.ts";
import { manager, operator } from "../manager/index.ts";
import type { Manager, ManagerOptions, Operator, OperatorRuntime } from "../manager/index.ts";
import { RefLocks } from "./inventory/ref-locks.ts";
import { ItemCache } from "./apply/item-cache.ts";
import { installStep } from "./apply/install-step.ts";
import { ClusterActiveOperand, Operand } from "./spec/operand-kinds.ts";
import { OperandRevision } from "./revision/operand-revision.ts";
import { ownStep } from "./inventory/own-step.ts";
import { promoteStep } from "./revision/promote-step.ts";
import { pruneStep } from "./prune/prune-step.ts";
import { recordStep } from "./revision/record-step.ts";

/** The status of an Operand reports progress, so it is written often during an installation. */
const HOT_LOOP = { runs: 500, windowMs: 60_000, ...BACKOFFS.hotLoop };

type OperandOperators = ReturnType<typeof operandOperators>;

/**
 * Returns the operators of Operand and of its inventories. In one process they share locks and what is known about
 * applied objects. A process knows nothing of another one, also if both run the same declaration.
 */
export function operandOperators(): readonly [Operator<Operand>, Operator<ClusterActiveOperand>] {
  const [operands, inventories] = declareOperators();
  /** The operators of each process. The operators of a process share its cache. */
  const processes = new WeakMap<Cache, OperandOperators>();
  const ofProcess = ({ cache }: OperatorRuntime): OperandOperators => {
    const known = processes.get(cache) ?? declareOperators();
    processes.set(cache, known);
    return known;
  };
  return [
    managed(operands, (runtime) => ofProcess(runtime)[0].createController(runtime)),
    managed(inventories, (runtime) => ofProcess(runtime)[1].createController(runtime)),
  ];
}

/** Returns the operator with another way to create its controllers. */
function managed<K extends AnyCustomKind>(
  declared: Operator<K>,
  createController: Operator<K>["createController"],
): Operator<K> {
  const own: Operator<K> = { ...declared, createController, start: (world) => manager([own]).start(world) };
  return own;
}

/** Declares both operators, with the memory of one process. */
function declareOperators(): OperandOperators {
  const claims = new RefLocks();
  const installed = installStep(claims, new ItemCache());
  const promoted = promoteStep(installed, claims);
  return [
    // Revisions have no operator of their own that installs their CRD.
    {
      ...operator(Operand, [installed, promoted, recordStep(promoted)], { hotLoop: HOT_LOOP, deriveStatus }),
      kinds: [Operand, OperandRevision],
    },
    operator(ClusterActiveOperand, [ownStep, pruneStep(claims)], { hotLoop: HOT_LOOP }),
  ];
}

/** Returns a manager that runs both operators in one process. */
export function operandManager(options: ManagerOptions = {}): Manager {
  return manager([...operandOperators()], options);
}

/** Shows the conditions as a state, because a printer column cannot compute it. */
function deriveStatus(conditions: readonly Condition[]): { readonly state: ObjectState } {
  return { state: stateOfConditions(conditions) };
}
