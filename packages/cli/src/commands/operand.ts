import type { Command } from "commander";
import {
  addConfirmCommand,
  addCreateCommand,
  addDeleteCommand,
  addHistoryCommand,
  addPlanCommand,
  addRollbackCommand,
  addRunCommand,
  addStatusCommand,
  addSuspendCommands,
} from "../operand/index.ts";
import type { Shell } from "../shell.ts";

/** `levelset operand …`: sets of manifests that are kept on a cluster. */
export function addOperandCommand(levelset: Command, shell: Shell): void {
  const operand = levelset
    .command("operand")
    .description("keep a set of manifests on a cluster: install, plan, follow, go back, remove");
  addRunCommand(operand, shell);
  addCreateCommand(operand, shell);
  addPlanCommand(operand, shell);
  addStatusCommand(operand, shell);
  addHistoryCommand(operand, shell);
  addRollbackCommand(operand, shell);
  addSuspendCommands(operand, shell);
  addConfirmCommand(operand, shell);
  addDeleteCommand(operand, shell);
}
