import { InputError } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { DEFAULT_DECISION } from "../decision/decision-expressions.ts";
import { readSentinelConfig } from "./sentinel-config.ts";
import type { SentinelConfig, SentinelConfigInput } from "./sentinel-config.ts";

function read(input: Partial<SentinelConfigInput>): SentinelConfig {
  return readSentinelConfig({ file: undefined, env: {}, flags: {}, source: "store", ...input });
}

const FILE = {
  sentinel: { name: "eu" },
  resource_type: "clusters",
  poll_interval: "1m30s",
  resource_selector: [
    { label: "env", value: "production" },
    { label: "example.com/region", value: "eu" },
  ],
  clients: {
    hyperfleet_api: {
      base_url: "http://127.0.0.1:8000",
      timeout: "3s",
      page_size: 100,
      auth: { token_path: "/var/run/token", token_cache_ttl: "5m" },
    },
    broker: { topic: "pulses" },
  },
  message_decision: { params: [{ name: "old", expr: 'now > timestamp("2026-01-01T00:00:00Z")' }], result: "old" },
  message_data: { id: "resource.id", owner: { id: "resource.owner_references.id" } },
  log: { level: "warn", format: "text", output: "stderr" },
  debug_config: true,
  tracing_enabled: false,
};

test("a complete HyperFleet Sentinel configuration file is read", () => {
  expect(read({ file: FILE, source: "http" })).toMatchObject({
    name: "eu",
    rule: {
      resourceType: "clusters",
      pollIntervalMs: 90_000,
      selector: { env: "production", "example.com/region": "eu" },
      topic: "pulses",
      decision: { texts: { result: "old" } },
    },
    api: {
      baseUrl: "http://127.0.0.1:8000",
      version: "v1",
      timeoutMs: 3_000,
      pageSize: 100,
      token: { path: "/var/run/token", cacheMs: 300_000 },
    },
    log: { level: "warn", format: "text", output: "stderr" },
    debugConfig: true,
    tracing: false,
  });
});

test("every setting but the resource type has a default", () => {
  const config = read({ file: { resource_type: "clusters" } });
  expect(config).toMatchObject({
    name: "hyperfleet-sentinel",
    api: undefined,
    rule: { pollIntervalMs: 5_000, selector: {}, topic: "hyperfleet-clusters" },
    log: { level: undefined, format: undefined, output: undefined },
    tracing: true,
  });
  expect(config.rule.decision.texts).toEqual(DEFAULT_DECISION);
  const subject = { resource: { id: "a", generation: 2 }, now: 0 };
  expect(config.rule.data.build(subject)).toEqual({ id: "a", generation: 2 });
});

describe("an invalid configuration is rejected with how to set the value", () => {
  const cases: readonly (readonly [string, object, string])[] = [
    ["no resource type", { resource_type: undefined }, "resource_type: is missing"],
    ["a path", { resource_type: "a/b" }, "resource_type: must be one segment"],
    ["an unknown key", { polling: 1 }, "polling: unknown key; allowed: clients, debug_config, log, "],
    [
      "an unknown key inside",
      { clients: { broker: { tpoic: "x" } } },
      "clients.broker.tpoic: unknown key; allowed: topic",
    ],
    ["an invalid section", { clients: 3 }, "clients: must be an object"],
    ["poll 0", { poll_interval: "0s" }, "--poll-interval, HYPERFLEET_POLL_INTERVAL, or poll_interval in the file"],
    ["no duration", { poll_interval: 5 }, "poll_interval: must be a duration such as 5s"],
    [
      "page size 0",
      { clients: { hyperfleet_api: { page_size: 0 } } },
      "clients.hyperfleet_api.page_size: must be an integer from 1 to 500 (set it with --hyperfleet-api-page-size, HYPERFLEET_API_PAGE_SIZE, or",
    ],
    ["page size 501", { clients: { hyperfleet_api: { page_size: 501 } } }, "must be an integer from 1 to 500"],
    ["a relative token", { clients: { hyperfleet_api: { auth: { token_path: "t" } } } }, "must be an absolute path"],
    ["a bad address", { clients: { hyperfleet_api: { base_url: "ftp://x" } } }, "base_url: must be a URL"],
    ["a blank leaf", { message_data: { a: { b: "" } } }, "message_data.a.b: must be an expression"],
    ["a null leaf", { message_data: { a: null } }, "message_data.a: must be an expression"],
    ["a bad leaf", { message_data: { a: "1 +" } }, "message_data.a: 1:"],
    [
      "a param twice",
      {
        message_decision: {
          params: [
            { name: "a", expr: "1" },
            { name: "a", expr: "1" },
          ],
          result: "true",
        },
      },
      'message_decision: param "a": duplicate name',
    ],
    ["an empty result", { message_decision: { params: [] } }, "message_decision: result: is empty"],
    ["a foreign key", { message_decision: { result: "true", when: "x" } }, "message_decision.when: unknown key"],
    ["a selector", { resource_selector: [{ label: "a' or '1", value: "x" }] }, "resource_selector[0].label: must be"],
    ["a label twice", { resource_selector: ["x", "y"].map((value) => ({ label: "a", value })) }, "duplicate label a"],
    ["a level", { log: { level: "loud" } }, "log.level: must be one of debug, info, warn, error"],
  ];
  test.each(cases)("%s", (_, change, message) => {
    const make = (): unknown => read({ file: { resource_type: "clusters", ...change } });
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  });

  test("all problems are reported at once", () => {
    expect(() => read({ file: { poll_interval: "x", log: { level: "loud" } } })).toThrow(
      /resource_type: .*poll_interval: .*log\.level: /,
    );
  });

  test("a base URL is required for polling only", () => {
    const file = { resource_type: "clusters" };
    expect(() => read({ file, source: "http" })).toThrow(
      "clients.hyperfleet_api.base_url: is missing (set it with --hyperfleet-api-base-url, HYPERFLEET_API_BASE_URL, or",
    );
    expect(read({ file }).api).toBeUndefined();
  });
});

test("flags override the environment, which overrides the file", () => {
  const file = { resource_type: "clusters", poll_interval: "1s", clients: { hyperfleet_api: { page_size: 1 } } };
  const env = { HYPERFLEET_POLL_INTERVAL: "2s", HYPERFLEET_BROKER_TOPIC: "env" };
  const flags = { "poll-interval": "3s" };
  expect(read({ file }).rule.pollIntervalMs).toBe(1_000);
  expect(read({ file, env }).rule).toMatchObject({ pollIntervalMs: 2_000, topic: "env" });
  expect(read({ file, env, flags }).rule).toMatchObject({ pollIntervalMs: 3_000, topic: "env" });
  expect(() => read({ file, flags: { "hyperfleet-api-page-size": "501" } })).toThrow("page_size");
});
