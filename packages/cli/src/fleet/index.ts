/** The commands about a fleet's resources. Begin with `fleet-session.ts`. */

export { addCreateCommand } from "./create-command.ts";
export { addDeleteCommand } from "./delete-command.ts";
export { addEditCommand } from "./edit-command.ts";
export { explainedByFleet } from "./fleet-session.ts";
export { addGetCommand } from "./get-command.ts";
export { addHistoryCommand } from "./history-command.ts";
export { addReportCommand } from "./report-command.ts";
export { kindIn, resourceWord } from "./resource-word.ts";
export { waitTargetsInFleet } from "./wait-fleet.ts";
export type { WaitFleetFlags } from "./wait-fleet.ts";
export { whyInFleet } from "./why-fleet.ts";
export type { WhyFleetFlags } from "./why-fleet.ts";
export { isSettled } from "./resource-table.ts";
