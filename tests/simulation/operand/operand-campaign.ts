import { operandOperators } from "@levelset/operator";
import type { SimulateOptions } from "@levelset/simulation";
import { conditionsOfGeneration, healthGate, nothingForeignDeleted, nothingLost } from "./operand-monitors.ts";
import {
  completeAtRest,
  foreignObjects,
  invariants,
  noUnownedJobs,
  nothingUndesiredAtRest,
  oneInventoryWhenReady,
} from "./operand-properties.ts";
import { OPERANDS, Widget } from "./operand-samples.ts";

/** The operators of Operands. Each simulated process has its own. */
export const operands = (): ReturnType<typeof operandOperators> => operandOperators();

/** How Operands are simulated, and what holds for them. */
export const OPERAND_OPTIONS: SimulateOptions = {
  samples: OPERANDS,
  kinds: [Widget],
  // The manifests of an Operand are those of its user: the server validates them, and the status reports a refusal.
  ignore: ["child-refused"],
  monitors: {
    "invariants I1 to I5": invariants,
    "nothing of a version is removed before its successor is ready": healthGate,
    "every object belongs to an inventory": nothingLost,
    "objects of others are not touched": foreignObjects,
    "only objects of Operands are deleted": nothingForeignDeleted,
    "conditions are true for their generation": conditionsOfGeneration,
  },
  eventually: {
    "a ready Operand has one inventory": oneInventoryWhenReady,
    "a ready Operand is complete": completeAtRest,
    "no object remains that no version desires": nothingUndesiredAtRest,
    "no Job of a deleted Operand remains": noUnownedJobs,
  },
};
