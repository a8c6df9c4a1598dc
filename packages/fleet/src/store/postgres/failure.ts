import { isProgrammingError } from "@levelset/core";

/**
 * What is behind an error. `lost`: the database did not take the statement or its answer did not arrive, so that it may help to send it again; `beaten`: another
 * transaction was in the way; `refused`: the database does not let us in; `broken`: a rule of a table; `other`: ours.
 */
export type PostgresFailure = "lost" | "beaten" | "refused" | "broken" | "other";

/** States by their first characters, the longest first. */
const STATES: readonly (readonly [string, PostgresFailure])[] = [
  ["40", "beaten"],
  ["23", "broken"],
  ["08", "lost"],
  ["53", "lost"],
  ["57", "lost"],
  ["58", "lost"],
  ["25006", "lost"], // a server that only reads, until another one has taken over
  ["28", "refused"],
  ["3D", "refused"],
  ["42501", "refused"],
  ["LS", "beaten"],
];

/** The state that the server gave with an error; undefined if the error is not the server's. */
export function stateOf(error: unknown): string | undefined {
  const isServers = error instanceof Error && "severity" in error && "code" in error;
  return isServers ? String(error.code) : undefined;
}

/** The rule of a table that was broken. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && "constraint" in error ? String(error.constraint) : undefined;
}

/** What is behind an error of the client. */
export function postgresFailureOf(error: unknown): PostgresFailure {
  const state = stateOf(error);
  // Sockets that break say so in many ways.
  if (state === undefined) return isProgrammingError(error) ? "other" : "lost";
  return STATES.find(([start]) => state.startsWith(start))?.[1] ?? "other";
}
