import { TransportError } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { ClusterReach } from "./cluster-reach.ts";

const PODS = "http://cluster.test/api/v1/pods";
const WATCH = `${PODS}?watch=true`;

/** A ClusterReach whose cluster responds with a status, or not at all. */
class Scenario {
  readonly clock = new VirtualClock(0);
  answer: number | Error = 200;
  readonly reach: ClusterReach = new ClusterReach(async () => {
    if (this.answer instanceof Error) throw this.answer;
    return new Response("", { status: this.answer });
  }, this.clock);

  async get(url: string, signal?: AbortSignal): Promise<string | undefined> {
    await this.reach.fetch(new Request(url, signal === undefined ? {} : { signal })).catch(() => undefined);
    return this.reach.problem;
  }
}

describe("a cluster is unreachable", () => {
  test.each([500, 503, 401, 403, 429])("while a watch returns %s", async (status) => {
    const scenario = new Scenario();
    scenario.answer = status;
    expect(await scenario.get(WATCH)).toBe(`GET /api/v1/pods: the server answered ${status}`);
    scenario.answer = 200;
    expect(await scenario.get(WATCH)).toBeUndefined();
  });

  test("while a list fails with a network error", async () => {
    const scenario = new Scenario();
    scenario.answer = new TransportError("connect ECONNREFUSED");
    expect(await scenario.get(`${PODS}?limit=500`)).toBe("GET /api/v1/pods: connect ECONNREFUSED");
  });

  test("until the failed watch has ended: it is not retried", async () => {
    const scenario = new Scenario();
    scenario.answer = 503;
    await scenario.get(WATCH);
    await scenario.clock.advance(120_000);
    expect(scenario.reach.problem).toBeUndefined();
  });
});

describe("a cluster is reachable", () => {
  test.each([200, 404, 410])("when a watch returns %s", async (status) => {
    const scenario = new Scenario();
    scenario.answer = status;
    expect(await scenario.get(WATCH)).toBeUndefined();
  });

  test("when a request for one object fails: its step reports that", async () => {
    const scenario = new Scenario();
    scenario.answer = 503;
    expect(await scenario.get(`${PODS}/a`)).toBeUndefined();
  });

  test("when the adapter itself ends a watch", async () => {
    const scenario = new Scenario();
    const stop = new AbortController();
    stop.abort();
    scenario.answer = new TransportError("cut");
    expect(await scenario.get(WATCH, stop.signal)).toBeUndefined();
  });
});
