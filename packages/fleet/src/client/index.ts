/** A client of the fleet API for any JavaScript platform. Begin with `fleet-client.ts`. */

export { FleetCollection } from "./collection.ts";
export type {
  FleetCallOptions,
  FleetUpdateOptions,
  HistoryOptions,
  FleetKindNames,
  FleetListOptions,
  ReportOutcome,
  TaggedResource,
  FleetWatchOptions,
  FleetWriteOptions,
} from "./collection.ts";
export { availableOf, isCurrent, isResourceReady, readyOf, adapterConditionOf } from "./conditions.ts";
export { SEARCH_WORDS } from "../search/index.ts";
export { resourceState } from "./resource-state.ts";
export type { RetryOptions, TokenSource } from "./fleet-request.ts";
export { FleetClient } from "./fleet-client.ts";
export type { FleetClientOptions } from "./fleet-client.ts";
export type { KindDescription } from "./kind-description.ts";
export { FleetApiError, isFleetApiError } from "./fleet-api-error.ts";
export type { FleetApiErrorKind } from "./fleet-api-error.ts";
export { FleetWaitError } from "./wait.ts";
export type { FleetWaitOptions } from "./wait.ts";
export type { FleetWaitGoal, FleetWaitProgress } from "./wait-progress.ts";
export type { FleetWatchEvent } from "./watch.ts";
export type {
  NewWireResource,
  WireAdapterCondition,
  WireAdapterStatus,
  WireCondition,
  WireJournalEntry,
  WireStoredReport,
  WirePage,
  WirePatch,
  WireProblem,
  WirePulse,
  WireReference,
  WireReport,
  WireResource,
} from "./wire.ts";
