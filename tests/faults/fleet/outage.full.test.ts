import { describe, expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { CUT_MUTATIONS, cutEverywhere } from "./durability/connection-cuts.ts";
import { lostOrDuplicateReports, ReportLoad, reportsOn } from "./durability/report-load.ts";
import { eventually } from "../../support/eventually.ts";
import { startFleet } from "../../support/fleet/running-fleet.ts";
import { FleetHttpClient } from "../../support/fleet/http.ts";
import { onPostgres } from "../../support/fleet/postgres-suite.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";

onPostgres("PostgreSQL outages", ({ server, config }) => {
  describe.for(["before", "after"] as const)(
    "a connection that is cut %s the server has received a message",
    (timing) => {
      test.for(CUT_MUTATIONS)(
        "$name takes effect once, whichever message is cut",
        { timeout: 60_000 },
        async (mutation) => {
          await using proxy = await TcpProxy.start(server().port);
          await using fleet = await startFleet({ ...config(proxy.port), connectionsMax: 1 });
          const { problems, cuts } = await cutEverywhere(fleet, proxy, mutation, timing);
          expect(problems).toEqual([]);
          expect(cuts).toBeGreaterThanOrEqual(mutation.messages);
          expect(await inconsistencies(fleet.store, fleet.kinds)).toEqual([]);
        },
      );
    },
  );

  test("a server that is killed and restarted during reports loses none and applies none twice", async () => {
    await using fleet = await startFleet(config());
    const clusters = await Promise.all(Array.from({ length: 50 }, () => fleet.user.cluster()));
    const half = Promise.withResolvers<void>();
    const load = new ReportLoad(fleet.user.http, (count) => {
      if (count === 400) half.resolve();
    });
    const sent = load.send(reportsOn(clusters, 2_000));
    await half.promise;
    await server().kill();
    using health = new FleetHttpClient(fleet.healthUrl);
    expect((await health.get("/readyz")).status).toBe(503);
    expect((await health.get("/healthz")).status).toBe(200);
    await server().start();
    await sent;
    const rest = new ReportLoad(fleet.user.http);
    await rest.send(load.uncertain);
    expect([...load.unexpected, ...rest.unexpected, ...rest.uncertain]).toEqual([]);
    const acknowledged = [...load.acknowledged, ...rest.acknowledged];
    expect(acknowledged.length).toBe(2_000);
    expect(await lostOrDuplicateReports(fleet.store, clusters, { acknowledged })).toEqual([]);
    expect(await inconsistencies(fleet.store, fleet.kinds)).toEqual([]);
    await eventually("the API is ready", async () => (await health.get("/readyz")).status === 200);
  });
});
