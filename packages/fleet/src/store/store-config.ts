import type { Clock, Logger, Random } from "@levelset/core";

/** Which store, and where. */
export type StoreConfig =
  /** A file, or `:memory:`. One process at a time. */
  | { readonly kind: "sqlite"; readonly path: string }
  | {
      readonly kind: "postgres";
      /** `postgres://user@host:port/database`. A password may come apart from it. */
      readonly url: string;
      readonly password?: string;
      /** The schema that the tables are in. Default `public`. */
      readonly schema?: string;
      /** Default 10. */
      readonly connectionsMax?: number;
      /** How long a statement is tried again while the database is away. Default 10 s. */
      readonly patienceMs?: number;
      readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
      /** Whether to bring the tables to the present version. Default: a database that is not is refused. */
      readonly migrate?: boolean;
    };

/** What a store may know of the world. */
export interface StoreWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}
