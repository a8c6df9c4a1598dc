import type { Command } from "commander";
import {
  addOperandConfirmCommand,
  addOperandCreateCommand,
  addOperandDeleteCommand,
  addOperandHistoryCommand,
  addOperandPlanCommand,
  addOperandRollbackCommand,
  addOperandRunCommand,
  addOperandStatusCommand,
  addOperandSuspendCommands,
} from "../operand/index.ts";
import type { Shell } from "../shell.ts";

/** `levelset operand …`: commands for Operands (manifest sets). */
export function addOperandCommand(levelset: Command, shell: Shell): void {
  const operand = levelset
    .command("operand")
    .description("manage Operands (manifest sets): create, plan, roll back, delete");
  addOperandCreateCommand(operand, shell);
  addOperandPlanCommand(operand, shell);
  addOperandStatusCommand(operand, shell);
  addOperandHistoryCommand(operand, shell);
  addOperandRollbackCommand(operand, shell);
  addOperandSuspendCommands(operand, shell);
  addOperandConfirmCommand(operand, shell);
  addOperandDeleteCommand(operand, shell);
  addOperandRunCommand(operand, shell);
}
