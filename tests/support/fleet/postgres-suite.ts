import { afterAll, beforeAll, describe } from "vitest";
import { startPostgres } from "../postgres-server.ts";
import type { PostgresServer } from "../postgres-server.ts";
import { onServer } from "../server-process.ts";
import { postgresConfig } from "./postgres-config.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import { POSTGRESQL } from "../../../tools/system/system-requirement.ts";

/** A server shared by the tests of a suite. */
export interface PostgresSuite {
  /** Returns the server once it is started. */
  readonly server: () => PostgresServer;
  /** Returns a store configuration with a separate schema. `port`: of a proxy in front of the server. */
  readonly config: (port?: number) => PostgresConfig;
}

/** Defines a suite with a real server; reported as skipped where there is none. */
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
