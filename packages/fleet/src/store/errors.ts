/** The database cannot be reached, or does not answer in time. What was asked may have happened or not. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The database is there but cannot be used: another program's tables, a schema newer than this version, a file that is no database. */
export class StoreUnusable extends Error {
  override readonly name = "StoreUnusable";
}
