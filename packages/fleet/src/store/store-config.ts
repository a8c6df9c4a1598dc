import type { Clock, Logger, Random } from "@levelset/core";

/** Kind and location of a store. */
export type StoreConfig =
  /** A file path, or `:memory:`. Only one process at a time can use it. */
  | { readonly kind: "sqlite"; readonly path: string }
  | {
      readonly kind: "postgres";
      /** `postgres://user@host:port/database`. The password may be given separately. */
      readonly url: string;
      readonly password?: string;
      /** The schema of the tables. Default `public`. */
      readonly schema?: string;
      /** Default 10. */
      readonly connectionsMax?: number;
      /** How long a statement is retried while the database is unreachable. Default 10 s. */
      readonly retryTimeoutMs?: number;
      readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
      /** Whether to migrate the tables on open. Default: false, and tables of another version are refused. */
      readonly migrate?: boolean;
    };

/** Dependencies of a store. */
export interface StoreWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}
