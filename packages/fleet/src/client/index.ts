/** The fleet from outside, in any JavaScript. Begin with `fleet-client.ts`. */

export { FleetCollection } from "./collection.ts";
export type {
  CallOptions,
  ChangeOptions,
  HistoryOptions,
  KindNames,
  ListOptions,
  ReportOutcome,
  Tagged,
  WatchOptions,
  WriteOptions,
} from "./collection.ts";
export { availableOf, isCurrent, isResourceReady, readyOf, verdictOf } from "./conditions.ts";
export type { RetryOptions, TokenSource } from "./exchange.ts";
export { FleetClient } from "./fleet-client.ts";
export type { FleetClientOptions } from "./fleet-client.ts";
export type { KindDescription } from "./kind-description.ts";
export { FleetProblem, isProblem } from "./problem.ts";
export type { ProblemKind } from "./problem.ts";
export { WaitError } from "./wait.ts";
export type { WaitOptions } from "./wait.ts";
export type { WaitGoal, WaitProgress } from "./wait-progress.ts";
export type { WatchEvent } from "./watch.ts";
export type {
  NewWireResource,
  WireAdapterCondition,
  WireAdapterStatus,
  WireCondition,
  WireJournalEntry,
  WireKeptReport,
  WirePage,
  WirePatch,
  WireProblem,
  WirePulse,
  WireReference,
  WireReport,
  WireResource,
} from "./wire.ts";
export { TimeLimit } from "./time-limit.ts";
