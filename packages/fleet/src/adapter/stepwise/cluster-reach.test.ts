import { TransportError } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { ClusterReach } from "./cluster-reach.ts";

const PODS = "http://cluster.test/api/v1/pods";
const WATCH = `${PODS}?watch=true`;

/** A reach whose cluster answers with a status, or not at all. */
class Scene {
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

describe("a cluster is out of reach", () => {
  test.each([500, 503, 401, 403, 429])("while a watch is answered with %s", async (status) => {
    const scene = new Scene();
    scene.answer = status;
    expect(await scene.get(WATCH)).toBe(`GET /api/v1/pods: the server answered ${status}`);
    scene.answer = 200;
    expect(await scene.get(WATCH)).toBeUndefined();
  });

  test("while a list fails by network", async () => {
    const scene = new Scene();
    scene.answer = new TransportError("connect ECONNREFUSED");
    expect(await scene.get(`${PODS}?limit=500`)).toBe("GET /api/v1/pods: connect ECONNREFUSED");
  });

  test("until the watch that failed has ended: it is not tried again", async () => {
    const scene = new Scene();
    scene.answer = 503;
    await scene.get(WATCH);
    await scene.clock.advance(120_000);
    expect(scene.reach.problem).toBeUndefined();
  });
});

describe("a cluster is in reach", () => {
  test.each([200, 404, 410])("when a watch is answered with %s", async (status) => {
    const scene = new Scene();
    scene.answer = status;
    expect(await scene.get(WATCH)).toBeUndefined();
  });

  test("when the request for one object fails: its step says so", async () => {
    const scene = new Scene();
    scene.answer = 503;
    expect(await scene.get(`${PODS}/a`)).toBeUndefined();
  });

  test("when the adapter itself ends a watch", async () => {
    const scene = new Scene();
    const stop = new AbortController();
    stop.abort();
    scene.answer = new TransportError("cut");
    expect(await scene.get(WATCH, stop.signal)).toBeUndefined();
  });
});
