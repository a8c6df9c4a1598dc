import { realClock, realRandom } from "@levelset/core";
import { Client } from "pg";
import { expect, test } from "vitest";
import { onPostgres } from "../../support/fleet/postgres-suite.ts";
import { POSTGRES_PASSWORD } from "../../support/postgres-server.ts";
import { FleetRun } from "./fleet-run.ts";
import { exportFleet, named } from "./fleet-content.ts";
import { copiesOf, FILES, POSTGRES_SCHEMA, recordedVersions } from "./recorded.ts";

const recorded = await recordedVersions();

onPostgres("a dump of a fleet's PostgreSQL schema", ({ server }) => {
  for (const version of recorded) {
    test(`of version ${version} has every resource, report and history entry, and due work continues`, async () => {
      await using copies = await copiesOf(version);
      const { url } = server();
      await restore(server().port, await copies.text(FILES.postgres));
      const postgres = { kind: "postgres", url, password: POSTGRES_PASSWORD, schema: POSTGRES_SCHEMA } as const;
      const store = { ...postgres, migrate: true, connectionsMax: 2 };
      await using fleet = await FleetRun.start({ store, clock: realClock, random: realRandom });
      const content: unknown = JSON.parse(await copies.text(FILES.postgresExport));
      expect(await exportFleet(fleet)).toEqual(content);
      const due = await Promise.all(["eu-2", "eu-3", "eu-5"].map((name) => named(fleet, name)));
      await fleet.startSentinel();
      await expect.poll(() => fleet.pulsed).toEqual(expect.arrayContaining(due.map(({ id }) => id)));
    });
  }
});

/** Executes a dump as psql does. */
async function restore(port: number, sql: string): Promise<void> {
  const login = { user: "fleet", password: POSTGRES_PASSWORD, database: "postgres" };
  const client = new Client({ host: "127.0.0.1", port, ...login });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS ${POSTGRES_SCHEMA} CASCADE`);
  await client.query(sql);
  await client.end();
}
