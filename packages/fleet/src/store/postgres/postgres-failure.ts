import { isProgrammingError } from "@levelset/core/internal";

/**
 * Classifies an error. `lost`: the server did not receive the statement or its response was lost, so a retry may
 * succeed; `conflict`: another transaction interfered; `refused`: the server rejected the login; `broken`: a constraint
 * was violated; `other`: a bug of ours.
 */
export type PostgresFailure = "lost" | "conflict" | "refused" | "broken" | "other";

/** SQLSTATE prefixes, the longest first. */
const STATES: readonly (readonly [string, PostgresFailure])[] = [
  ["40", "conflict"],
  ["23", "broken"],
  ["08", "lost"],
  ["53", "lost"],
  ["57", "lost"],
  ["58", "lost"],
  ["25006", "lost"], // a read-only server, until a failover completes
  ["28", "refused"],
  ["3D", "refused"],
  ["42501", "refused"],
  ["LS", "conflict"],
];

/** Returns the SQLSTATE of an error; undefined if the error does not come from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  const isServers = error instanceof Error && "severity" in error && "code" in error;
  return isServers ? String(error.code) : undefined;
}

/** Returns the name of the violated constraint. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && "constraint" in error ? String(error.constraint) : undefined;
}

/** Classifies an error of the `pg` client. */
export function postgresFailureOf(error: unknown): PostgresFailure {
  const state = sqlStateOf(error);
  // Socket errors come in many forms.
  if (state === undefined) return isProgrammingError(error) ? "other" : "lost";
  return STATES.find(([start]) => state.startsWith(start))?.[1] ?? "other";
}
