import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { describe, expect, test } from "vitest";
import { seededRandom } from "@levelset/core/testing";
import { DEFAULT_MESSAGE, MessageData } from "./message-data.ts";
import type { MessageExpressions } from "./message-data.ts";
import { pulseEvent } from "./pulse-event.ts";
import { matchesRuleSelector, selectorSearch, selectorText } from "../decision/pulse-rule.ts";
import { sentinelTracer } from "../sentinel-tracer.ts";

const NODE_POOL = {
  id: "np1",
  kind: "NodePool",
  href: "/api/hyperfleet/v1/clusters/c1/nodepools/np1",
  generation: 3,
  owner_references: { id: "c1", kind: "Cluster", href: "/api/hyperfleet/v1/clusters/c1" },
};

function build(texts: MessageExpressions, resource = {}): unknown {
  return new MessageData(texts).build({ resource, now: 0 });
}

describe("the data of a message", () => {
  test("is nested like its configuration", () => {
    const texts = { a: { b: { c: "resource.id" } }, origin: '"x"', twice: "resource.generation * 2" };
    expect(build(texts, NODE_POOL)).toEqual({ a: { b: { c: "np1" } }, origin: "x", twice: 6 });
  });

  test("omits missing and null values, and objects that become empty", () => {
    const texts = {
      id: "resource.id",
      no: "resource.no",
      none: "null",
      deep: { no: "resource.no", er: { no: "1/0" } },
    };
    expect(build(texts, NODE_POOL)).toEqual({ id: "np1" });
  });

  test("contains by default the identity of a resource and its owner", () => {
    expect(build(DEFAULT_MESSAGE, NODE_POOL)).toEqual(NODE_POOL);
    const { owner_references: _, ...cluster } = NODE_POOL;
    expect(build(DEFAULT_MESSAGE, cluster)).toEqual(cluster);
  });

  test("is rejected with the location of every error", () => {
    expect(() => build({ a: "", b: { c: "1 +", d: "undefined_name" } })).toThrow(
      /message_data\.a: must be .*message_data\.b\.c: 1:.*message_data\.b\.d: .*undefined_name/,
    );
    expect(() => build({})).toThrow(/message_data: has no fields/);
  });
});

test("an event has the lowercased kind in its type and a traceparent of 55 characters", async () => {
  const event = await sentinelTracer(seededRandom(1)).span("pulses publish", async (traceparent) => {
    return pulseEvent({ id: "1", kind: "NodePool", data: {}, dueAdapters: ["dns", "placement"], traceparent });
  });
  expect(event).toEqual({
    specversion: "1.0",
    id: "1",
    source: "hyperfleet-sentinel",
    type: "com.redhat.hyperfleet.nodepool.reconcile",
    datacontenttype: "application/json",
    dueadapters: "dns,placement",
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    data: {},
  });
  expect(event.traceparent).toHaveLength(55);
});

test("a message sent within a span carries that span", async () => {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const tracer = sentinelTracer(seededRandom(1), provider.getTracer("test"));
  const traceparent = await tracer.span("pulses publish", async (parent) => parent);
  await expect(tracer.span("pulses publish", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  const [span] = spans.getFinishedSpans();
  const { traceId = "", spanId = "" } = span?.spanContext() ?? {};
  expect(traceparent).toBe(`00-${traceId}-${spanId}-01`);
  expect(spans.getFinishedSpans().map(({ status }) => status.code)).toEqual([0, 2]);
});

test("a selector becomes a search for all of its labels, sorted by key, with quotes doubled", () => {
  const selector = { region: "us-east", env: "production" };
  expect(selectorSearch(selector)).toBe("labels.env='production' and labels.region='us-east'");
  expect(selectorSearch({ a: "it's" })).toBe("labels.a='it''s'");
  expect(selectorSearch({})).toBeUndefined();
  expect([selectorText(selector), selectorText({})]).toEqual(["env:production,region:us-east", "all"]);
  expect(matchesRuleSelector({ selector }, { ...selector, more: "x" })).toBe(true);
  expect(matchesRuleSelector({ selector }, { env: "production" })).toBe(false);
});
