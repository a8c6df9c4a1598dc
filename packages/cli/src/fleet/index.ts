/** Fleet resources in the CLI: session, arguments, texts. Begin with `fleet-session.ts`. */

export {
  addDeclarationFlags,
  applyDeclarationFlags,
  checkKind,
  hasDeclarationFlags,
  readDeclarations,
} from "./declaration-flags.ts";
export type { DeclarationFlags, ResourceDeclaration } from "./declaration-flags.ts";
export { EditorFile } from "./editor-file.ts";
export { explainResource, unfinalizedAdapters } from "./explain-resource.ts";
export { fleetClient } from "./fleet-connection.ts";
export { explainFleetError, withFleet } from "./fleet-session.ts";
export type { FleetSession } from "./fleet-session.ts";
export { formatResources } from "./output-format.ts";
export type { OutputFormat } from "./output-format.ts";
export { ParentNames } from "./parent-names.ts";
export { andSearch, selectorSearch } from "./parse-labels.ts";
export { findKind, findParent, findResource, formatResourceArg, matchKind, parseResourceArgs } from "./resource-arg.ts";
export { countText, tableLines } from "./resource-table.ts";
export { waitAfterWrite } from "./wait-after-write.ts";
export type { Written } from "./wait-after-write.ts";
export { waitTargetsInFleet } from "./wait-fleet.ts";
export { printResourceChanges } from "./watch-resources.ts";
export type { WatchResourcesOptions } from "./watch-resources.ts";
export { whyText } from "./why-text.ts";
