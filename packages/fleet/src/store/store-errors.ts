/** The database is unreachable or did not respond in time. A write may or may not have happened. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/**
 * The database exists but cannot be used: tables of another program, a schema newer than this version, or not a
 * database file.
 */
export class StoreUnusableError extends Error {
  override readonly name = "StoreUnusable";
}
