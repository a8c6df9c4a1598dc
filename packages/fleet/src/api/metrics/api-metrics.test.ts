import { silentLogger } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../store/index.ts";
import type { KindCount } from "../../store/index.ts";
import type { Method, Route } from "../route.ts";
import { ApiMetrics } from "./api-metrics.ts";

function routeAt(path: string, method: Method = "GET"): Route {
  return {
    method,
    path,
    operationId: "x",
    summary: "",
    permission: "read",
    responses: [],
    handle: async () => ({ status: 200 }),
  };
}

/** The metrics of a store with configurable counts. */
class Counted {
  counts: readonly KindCount[] | undefined = [];
  readonly clock: VirtualClock = new VirtualClock();
  readonly metrics: ApiMetrics = new ApiMetrics({
    version: "1.2.3",
    store: {
      kind: "sqlite",
      statements: 42,
      counts: async () => {
        if (this.counts === undefined) throw new StoreUnavailableError("away");
        return this.counts;
      },
    },
    inFlight: () => 3,
    watchers: () => 2,
    clock: this.clock,
    logger: silentLogger,
  });

  /** Returns the lines of matching series, without the common labels. */
  async lines(prefix: string): Promise<readonly string[]> {
    const { body } = await this.metrics.render();
    const lines = body.split("\n").filter((line) => line.startsWith(prefix));
    return lines.map((line) => line.replace(/,?component="api",version="1.2.3"/, ""));
  }
}

test("requests are counted by route, and IDs are shown as a dash", async () => {
  const counted = new Counted();
  const { metrics } = counted;
  const route = routeAt("/api/hyperfleet/v1/clusters/{parent_id}/nodepools/{id}");
  metrics.observe({ method: "GET", route, status: 200, durationMs: 12 });
  metrics.observe({ method: "GET", route, status: 404, durationMs: 1 });
  metrics.observe({ method: "GET", route, status: 200, durationMs: 3 });
  metrics.observe({ method: "BREW", route: undefined, status: 404, durationMs: 1 });
  expect(await counted.lines("hyperfleet_api_requests_total")).toEqual([
    'hyperfleet_api_requests_total{method="GET",path="/api/hyperfleet/v1/clusters/-/nodepools/-",code="200"} 2',
    'hyperfleet_api_requests_total{method="GET",path="/api/hyperfleet/v1/clusters/-/nodepools/-",code="404"} 1',
    'hyperfleet_api_requests_total{method="unknown",path="unknown",code="404"} 1',
  ]);
  const [count] = await counted.lines("hyperfleet_api_request_duration_seconds_count");
  expect(count).toContain('path="/api/hyperfleet/v1/clusters/-/nodepools/-"');
  expect(count).toMatch(/ 3$/);
});

test("a series of pending resources is removed when none is pending", async () => {
  const counted = new Counted();
  const notReadySince = counted.clock.now() - 900_000;
  counted.counts = [{ kind: "Cluster", total: 5, notReady: 2, stuck: 1, notReadySince, deleting: 1 }];
  const pending = "hyperfleet_api_resource_pending_reconciliation";
  expect(await counted.lines(pending)).toEqual([
    `${pending}{resource_type="Cluster"} 2`,
    `${pending}_stuck{resource_type="Cluster"} 1`,
    `${pending}_stuck_duration_seconds{resource_type="Cluster"} 900`,
  ]);
  counted.counts = [{ kind: "Cluster", total: 5, notReady: 1, stuck: 0, notReadySince, deleting: 1 }];
  expect(await counted.lines(pending)).toEqual([`${pending}{resource_type="Cluster"} 1`]);
  counted.counts = [{ kind: "Cluster", total: 5, notReady: 0, stuck: 0, deleting: 0 }];
  expect(await counted.lines(pending)).toEqual([]);
  expect(await counted.lines("hyperfleet_api_resources")).toEqual([
    'hyperfleet_api_resources{resource_type="Cluster"} 5',
  ]);
});

test("a scrape succeeds while the database is unreachable, and reports it", async () => {
  const counted = new Counted();
  expect(await counted.lines("hyperfleet_db_up")).toEqual(["hyperfleet_db_up{} 1"]);
  counted.counts = undefined;
  expect(await counted.lines("hyperfleet_db_up")).toEqual(["hyperfleet_db_up{} 0"]);
  expect(await counted.lines("hyperfleet_db_statements_total")).toEqual([
    'hyperfleet_db_statements_total{store="sqlite"} 42',
  ]);
  expect(await counted.lines("hyperfleet_db_statements_total")).toEqual([
    'hyperfleet_db_statements_total{store="sqlite"} 42',
  ]);
  expect(await counted.lines("hyperfleet_api_requests_in_flight")).toEqual(["hyperfleet_api_requests_in_flight{} 3"]);
  expect(await counted.lines("hyperfleet_api_watchers")).toEqual(["hyperfleet_api_watchers{} 2"]);
  expect(await counted.lines("process_resident_memory_bytes")).toHaveLength(1);
});
