/** The `levelset operand` commands. Begin with `operand-client.ts`. */

export { addOperandCreateCommand } from "./create-command.ts";
export { addOperandDeleteCommand } from "./delete-command.ts";
export { addOperandHistoryCommand } from "./history-command.ts";
export { addOperandConfirmCommand, addOperandSuspendCommands } from "./patch-commands.ts";
export { addOperandPlanCommand } from "./plan-command.ts";
export { addOperandRollbackCommand } from "./rollback-command.ts";
export { addOperandRunCommand } from "./run-command.ts";
export { addOperandStatusCommand } from "./status-command.ts";
