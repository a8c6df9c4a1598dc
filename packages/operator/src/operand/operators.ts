import { manager, operator } from "../manager/index.ts";
import type { Manager, ManagerOptions, Operator } from "../manager/index.ts";
import { Claims } from "./claims.ts";
import { install } from "./install.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { OperandRevision } from "./operand-revision.ts";
import { own } from "./own.ts";
import { promote } from "./promote.ts";
import { prune } from "./prune.ts";
import { record } from "./record.ts";

/** The status of an Operand tells of progress, so it is written often while a set is installed. */
const HOT_LOOP = { runs: 500, windowMs: 60_000, firstMs: 1_000, maxMs: 60_000 };

/** Keeps sets of manifests on a cluster: the operators of Operand and of its inventories. */
export function operandOperators(): readonly [Operator<Operand>, Operator<ClusterActiveOperand>] {
  const claims = new Claims();
  const installed = install(claims);
  const promoted = promote(installed, claims);
  return [
    // Revisions have no operator of their own to bring their CRD.
    {
      ...operator(Operand, [installed, promoted, record(promoted)], { hotLoop: HOT_LOOP }),
      kinds: [Operand, OperandRevision],
    },
    operator(ClusterActiveOperand, [own, prune(claims)], { hotLoop: HOT_LOOP }),
  ];
}

/** Both in one process. */
export function operandManager(options: ManagerOptions = {}): Manager {
  return manager([...operandOperators()], options);
}
