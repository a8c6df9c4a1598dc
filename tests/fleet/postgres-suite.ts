import { afterAll, beforeAll, describe } from "vitest";
import { startPostgres } from "../support/postgres-server.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { onServer } from "../support/server-process.ts";
import { postgresConfig } from "./postgres-config.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import { POSTGRESQL } from "../../tools/system/need.ts";

/** A server that the tests of a suite share. */
export interface PostgresSuite {
  /** The server, once it is started. */
  readonly server: () => PostgresServer;
  /** A store in a schema of its own. `port`: of a proxy before the server. */
  readonly config: (port?: number) => PostgresConfig;
}

/** Defines a suite with a real server, which is skipped in sight where there is none. */
export function onPostgres(name: string, define: (suite: PostgresSuite) => void): void {
  onServer(name, POSTGRESQL, () => {
    describe(name, () => {
      let running: PostgresServer | undefined;
      beforeAll(async () => {
        running = await startPostgres();
      });
      afterAll(() => running?.[Symbol.asyncDispose]());
      const server = (): PostgresServer => {
        if (running === undefined) throw new Error("the server did not start");
        return running;
      };
      const config = (port = server().port): PostgresConfig =>
        postgresConfig(server().url.replace(`:${server().port}/`, `:${port}/`));
      define({ server, config });
    });
  });
}
