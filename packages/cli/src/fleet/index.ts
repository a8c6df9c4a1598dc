/** Commands for fleet resources. Begin with `fleet-session.ts`. */

export { addCreateCommand } from "./create-command.ts";
export { addDeleteCommand } from "./delete-command.ts";
export { addEditCommand } from "./edit-command.ts";
export { explainFleetError } from "./fleet-session.ts";
export { addGetCommand } from "./get-command.ts";
export { addFleetHistoryCommand } from "./history-command.ts";
export { addFleetReportCommand } from "./report-command.ts";
export { matchKind, formatResourceArg } from "./resource-arg.ts";
export { waitTargetsInFleet } from "./wait-fleet.ts";
export type { WaitFleetFlags } from "./wait-fleet.ts";
export { whyInFleet } from "./why-fleet.ts";
export type { WhyFleetFlags } from "./why-fleet.ts";
export { isUpToDate, resourceState } from "./resource-table.ts";
