/** The commands about sets of manifests. Begin with `operand-access.ts`. */

export { addCreateCommand } from "./create-command.ts";
export { addDeleteCommand } from "./delete-command.ts";
export { addHistoryCommand } from "./history-command.ts";
export { addConfirmCommand, addSuspendCommands } from "./patch-commands.ts";
export { addPlanCommand } from "./plan-command.ts";
export { addRollbackCommand } from "./rollback-command.ts";
export { addRunCommand } from "./run-command.ts";
export { addStatusCommand } from "./status-command.ts";
