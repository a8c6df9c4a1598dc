import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilIdle, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { FleetApi } from "../api/index.ts";
import { BrokerUnavailableError, MemoryBroker } from "../broker/index.ts";
import type { Broker, CloudEvent } from "../broker/index.ts";
import { ApiSource } from "./api-source.ts";
import type { ApiSourceOptions } from "./api-source.ts";
import { PollingSentinel } from "./polling-sentinel.ts";
import { PulsedFleet, ruleWith, TOPIC } from "./pulsed-fleet.fixture.ts";
import { selectorSearch } from "./decision/pulse-rule.ts";
import type { PulseRule } from "./decision/pulse-rule.ts";
import { serveSentinels } from "./sentinel-endpoints.ts";
import { TokenFile } from "./token-file.ts";

type Answering = (request: Request, call: number) => Response | Promise<Response> | undefined;

/** A list-only API under a virtual clock, and a Sentinel that polls it. */
class Polled {
  readonly clock = new VirtualClock();
  readonly random = seededRandom(3);
  readonly log = memoryLogger();
  readonly requests: Request[] = [];
  readonly events: CloudEvent[] = [];
  readonly controller = new AbortController();
  resources: JsonObject[] = [];
  /** Overrides the response to the list request. */
  answer: Answering = () => undefined;
  readonly broker: Broker;
  readonly source: ApiSource;
  readonly sentinel: PollingSentinel;

  constructor(setup: { rule?: Partial<PulseRule>; source?: Partial<ApiSourceOptions>; refuse?: string } = {}) {
    const { clock, random } = this;
    const { logger } = this.log;
    const rule = ruleWith(setup.rule);
    const memory = new MemoryBroker({ clock, random, logger, signal: this.controller.signal });
    this.broker = memory;
    const publish: Broker["publish"] = async (topic, event, options) => {
      if (options?.key === setup.refuse) throw new BrokerUnavailableError("no");
      expect(topic).toBe(TOPIC);
      this.events.push(event);
    };
    memory.publish = publish;
    this.source = new ApiSource({
      fetch: (request) => this.#fetch(request),
      baseUrl: "http://api.invalid/",
      version: "v1",
      resourceType: "clusters",
      search: selectorSearch(rule.selector),
      pageSize: 20,
      timeoutMs: 10_000,
      token: undefined,
      userAgent: "hyperfleet-sentinel/0 (test)",
      clock,
      random,
      ...setup.source,
    });
    this.sentinel = new PollingSentinel({ source: this.source, broker: memory, rule, clock, random, logger });
  }

  /** Runs one poll cycle to completion. */
  async poll(): Promise<void> {
    const done = this.sentinel.poll(this.controller.signal);
    await this.clock.advance(60_000);
    await done;
  }

  async figure(name: string): Promise<string | undefined> {
    const { body } = await this.sentinel.metrics.render();
    const prefix = `hyperfleet_sentinel_${name} `;
    const line = body.split("\n").find((text) => text.startsWith(prefix));
    return line?.slice(prefix.length);
  }

  get paths(): readonly string[] {
    return this.requests.map(({ url }) => decodeURIComponent(new URL(url).search));
  }

  async #fetch(request: Request): Promise<Response> {
    this.requests.push(request);
    const response = await this.answer(request, this.requests.length);
    if (response !== undefined) return response;
    const query = new URL(request.url).searchParams;
    const [page, size] = [Number(query.get("page")), Number(query.get("size"))];
    const items = this.resources.slice((page - 1) * size, page * size);
    return Response.json({ items, page, size: items.length, total: this.resources.length });
  }
}

const fresh = (count: number): JsonObject[] => {
  return Array.from({ length: count }, (_, number) => ({ id: `c${number}`, kind: "Cluster", generation: 1 }));
};
const LABELS = '{resource_type="clusters",resource_selector="all"';

describe("a poll", () => {
  test("reads all pages and decides for each resource", async () => {
    const polled = new Polled();
    polled.resources = fresh(45);
    await polled.poll();
    expect(polled.paths).toEqual(["?page=1&size=20", "?page=2&size=20", "?page=3&size=20"]);
    expect(polled.events).toHaveLength(45);
    expect(polled.events[0]).toMatchObject({
      type: "com.redhat.hyperfleet.cluster.reconcile",
      source: "hyperfleet-sentinel",
      data: { id: "c0", kind: "Cluster", generation: 1 },
    });
    expect(polled.events[0]).not.toHaveProperty("dueadapters");
    expect(polled.events[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(polled.requests[0]?.headers.get("user-agent")).toBe("hyperfleet-sentinel/0 (test)");
    expect(new URL(polled.requests[0]?.url ?? "").pathname).toBe("/api/hyperfleet/v1/clusters");
  });

  test("applies the selector", async () => {
    const polled = new Polled({ rule: { selector: { region: "us-east", env: "production" } } });
    await polled.poll();
    const [search] = polled.requests.map(({ url }) => new URL(url).searchParams.get("search"));
    expect(search).toBe("labels.env='production' and labels.region='us-east'");
  });

  test("publishes nothing if a later page fails permanently", async () => {
    const polled = new Polled();
    polled.resources = fresh(45);
    polled.answer = ({ url }) => (url.includes("page=2") ? new Response("", { status: 404 }) : undefined);
    await polled.poll();
    expect(polled.events).toEqual([]);
    expect(await polled.figure(`api_errors_total${LABELS},error_type="fetch_error"}`)).toBe("1");
    expect(await polled.figure(`last_successful_poll_timestamp_seconds${LABELS}}`)).toBeUndefined();
  });
});

describe("a failed request", () => {
  const failing = (first: () => Response | Promise<Response>): Polled => {
    const polled = new Polled();
    polled.resources = fresh(1);
    polled.answer = (_, call) => (call === 1 ? first() : undefined);
    return polled;
  };

  test.each([500, 503, 408, 429])("is retried from the first page after %i", async (status) => {
    const polled = failing(() => new Response("", { status }));
    await polled.poll();
    expect([polled.requests.length, polled.events.length]).toEqual([2, 1]);
  });

  test("is retried after a network error and after a timeout", async () => {
    const cut = failing(() => Promise.reject(new TypeError("fetch failed")));
    await cut.poll();
    expect([cut.requests.length, cut.events.length]).toEqual([2, 1]);
    const late = new Polled();
    late.resources = fresh(1);
    late.answer = ({ signal }, call) => {
      if (call > 1) return undefined;
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    };
    await late.poll();
    expect([late.requests.length, late.events.length]).toEqual([2, 1]);
  });

  test.each([
    ["404", () => new Response("", { status: 404 })],
    ["400", () => new Response("", { status: 400 })],
    ["no JSON", () => new Response("<html>")],
    ["no list", () => Response.json({ kind: "API" })],
    ["no total", () => Response.json({ items: [] })],
    ["no objects", () => Response.json({ items: [1], total: 1 })],
  ] as const)("is not retried: %s", async (_, response) => {
    const polled = failing(response);
    await polled.poll();
    expect([polled.requests.length, polled.events.length]).toEqual([1, 0]);
  });

  test("is given up after half a minute, with delays that double to eight seconds", async () => {
    const polled = new Polled();
    const start = polled.clock.now();
    const times: number[] = [];
    polled.answer = () => {
      times.push((polled.clock.now() - start) / 1_000);
      return new Response("", { status: 500 });
    };
    await polled.poll();
    const delays = times.map((time, index) => time - (times[index - 1] ?? 0));
    const expected = [0, 0.5, 1, 2, 4, 8, 8];
    expect(delays).toHaveLength(expected.length);
    for (const [index, delay] of delays.entries())
      expect(Math.abs(delay - (expected[index] ?? 0))).toBeLessThanOrEqual((expected[index] ?? 0) / 10);
  });

  test("is not retried when the Sentinel is stopped", async () => {
    const polled = failing(() => new Response("", { status: 500 }));
    const done = polled.sentinel.poll(polled.controller.signal);
    await untilIdle();
    polled.controller.abort();
    await done;
    expect(polled.requests).toHaveLength(1);
    expect(polled.log.lines).toEqual([]);
  });

  test("an empty page of null, as sent by the HyperFleet API, is empty", async () => {
    const polled = failing(() => Response.json({ items: null, page: 1, size: 0, total: 0 }));
    await polled.poll();
    expect(await polled.figure(`last_successful_poll_timestamp_seconds${LABELS}}`)).toBeDefined();
  });
});

test("a rejected message does not block others, and is counted", async () => {
  const polled = new Polled({ refuse: "c0" });
  polled.resources = fresh(2);
  await polled.poll();
  expect(polled.events.map(({ data }) => data)).toMatchObject([{ id: "c1" }]);
  expect(await polled.figure(`broker_errors_total${LABELS},error_type="publish_error"}`)).toBe("1");
  expect(await polled.figure(`events_published_total${LABELS},reason="message decision matched"}`)).toBe("1");
  expect(await polled.figure(`last_successful_poll_timestamp_seconds${LABELS}}`)).toBeDefined();
});

test("a resource without an id is skipped", async () => {
  const polled = new Polled();
  polled.resources = [{ id: "", kind: "Cluster", generation: 1 }, { kind: "Cluster", generation: 1 }, ...fresh(1)];
  await polled.poll();
  expect(polled.events).toHaveLength(1);
  expect(await polled.figure(`resources_skipped_total${LABELS},reason="resource has no id"}`)).toBe("2");
});

test("without its token file it sends no request; a replaced token is used after its cache time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sentinel-"));
  const path = join(folder, "token");
  const polled = new Polled();
  const token = new TokenFile({ path, cacheMs: 120_000, clock: polled.clock });
  const authenticated = new Polled({ source: { token, clock: polled.clock } });
  const poll = (): Promise<void> => authenticated.sentinel.poll(authenticated.controller.signal);
  const authorization = (): string | null | undefined => authenticated.requests.at(-1)?.headers.get("authorization");
  await poll();
  expect(authenticated.requests).toEqual([]);
  expect(await authenticated.figure(`api_errors_total${LABELS},error_type="auth_error"}`)).toBe("1");
  await writeFile(path, "first\n");
  await poll();
  expect(authorization()).toBe("Bearer first");
  await writeFile(path, "second\n");
  await poll();
  expect(authorization()).toBe("Bearer first");
  await polled.clock.advance(120_000);
  await poll();
  expect(authorization()).toBe("Bearer second");
  await writeFile(path, "third\n");
  authenticated.answer = () => new Response("", { status: 401 });
  await poll();
  await poll();
  expect(authorization()).toBe("Bearer third");
  expect(JSON.stringify(authenticated.log.lines)).not.toMatch(/first|second|third/);
  await rm(folder, { recursive: true });
});

test("it is live until three intervals pass without a poll, and ready from the first poll on", async () => {
  const polled = new Polled();
  const { clock, sentinel } = polled;
  const endpoints = await serveSentinels({ health: { port: 0 }, metrics: { port: 0 } }, [sentinel], sentinel.metrics);
  const codes = async (): Promise<readonly number[]> => {
    const responses = await Promise.all(["/healthz", "/readyz"].map((path) => fetch(`${endpoints.healthUrl}${path}`)));
    return responses.map(({ status }) => status);
  };
  expect(await codes()).toEqual([200, 503]);
  const done = sentinel.run(polled.controller.signal);
  await clock.advance(5_000);
  expect(await codes()).toEqual([200, 200]);
  polled.answer = () => new Response("", { status: 404 });
  await clock.advance(14_000);
  expect(await codes()).toEqual([200, 200]);
  await clock.advance(2_000);
  expect(await codes()).toEqual([503, 200]);
  polled.answer = () => undefined;
  await clock.advance(5_000);
  expect(await codes()).toEqual([200, 200]);
  await polled.broker.close();
  expect(await codes()).toEqual([200, 503]);
  polled.controller.abort();
  expect(await codes()).toEqual([200, 503]);
  await done;
  expect(await (await fetch(`${endpoints.metricsUrl}/metrics`)).text()).toContain("hyperfleet_sentinel_");
  expect((await fetch(`${endpoints.healthUrl}/nothing`)).status).toBe(404);
  await endpoints.close();
});

test("it does not start if the API rejects requests", async () => {
  const polled = new Polled();
  polled.answer = () => new Response("", { status: 403 });
  await expect(polled.sentinel.run(polled.controller.signal)).rejects.toThrow("the API returned 403");
  expect(polled.paths).toEqual(["?page=1&size=1"]);
});

test("our own API is polled like any other, with pages and selector", async () => {
  await using world = await PulsedFleet.open();
  const { fleet, store, kinds, clock, random } = world;
  const { logger } = memoryLogger();
  const api = new FleetApi({ fleet, store, kinds, clock, random, logger, port: 0, version: "0" });
  const { url } = await api.listen();
  await Promise.all(Array.from({ length: 45 }, (_, number) => world.create(`c-${number}`, { env: `e${number % 3}` })));
  const rule = ruleWith({ selector: { env: "e1" } });
  const source = new ApiSource({
    fetch: (request) => fetch(request),
    baseUrl: url,
    version: "v1",
    resourceType: "clusters",
    search: selectorSearch(rule.selector),
    pageSize: 10,
    timeoutMs: 10_000,
    token: undefined,
    userAgent: "test",
    clock,
    random,
  });
  const sentinel = new PollingSentinel({ source, broker: world.broker, rule, clock, random, logger });
  const { signal } = new AbortController();
  await sentinel.poll(signal);
  // All resources are new, and so are the conditions.
  expect(world.takePulses().size).toBe(0);
  await clock.advance(10_001);
  await sentinel.poll(signal);
  await untilIdle();
  expect(world.arrivals).toHaveLength(15);
  expect(world.arrivals[0]?.event.data).toMatchObject({ kind: "Cluster", generation: 1 });
  await api.close();
});
