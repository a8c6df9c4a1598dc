import { SpanStatusCode } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { requestHeaders } from "../auth/issuer.fixture.ts";
import { HttpProblem } from "../http-problem.ts";
import type { Route } from "../route.ts";
import { requestTracer } from "./request-tracer.ts";

const ROUTE: Route = {
  method: "GET",
  path: "/api/hyperfleet/v1/clusters/{id}",
  operationId: "getCluster",
  summary: "",
  permission: "read",
  responses: [],
  handle: async () => ({ status: 200 }),
};

function traced(): {
  readonly spans: InMemorySpanExporter;
  run: (traceparent: string, error?: Error) => Promise<void>;
} {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const tracer = requestTracer(provider.getTracer("test"));
  const run = async (traceparent: string, error?: Error): Promise<void> => {
    const request = { route: ROUTE, headers: requestHeaders({ traceparent }), requestId: "r1" };
    await tracer.run(request, async () => {
      if (error !== undefined) throw error;
      return { status: 200 };
    });
  };
  return { spans, run };
}

test("a request is a server span in the caller's trace", async () => {
  const { spans, run } = traced();
  await run("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  const [span] = spans.getFinishedSpans();
  expect(span?.name).toBe("GET /api/hyperfleet/v1/clusters/{id}");
  expect(span?.spanContext().traceId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
  expect(span?.parentSpanContext).toMatchObject({ spanId: "00f067aa0ba902b7", isRemote: true });
  expect(span?.attributes).toMatchObject({
    "http.route": ROUTE.path,
    "http.response.status_code": 200,
    "hyperfleet.request_id": "r1",
  });
});

test.for(["", "nonsense", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`])("'%s' starts a new trace", async (header) => {
  const { spans, run } = traced();
  await run(header);
  const [span] = spans.getFinishedSpans();
  expect(span?.parentSpanContext).toBeUndefined();
  expect(span?.spanContext().traceId).toMatch(/[1-9a-f]/);
});

test("a 4xx response is not an error of the span, a 5xx response is", async () => {
  const { spans, run } = traced();
  await expect(run("", new HttpProblem("NTF-001", "not there"))).rejects.toThrow("not there");
  await expect(run("", new Error("broken"))).rejects.toThrow("broken");
  const shown = spans
    .getFinishedSpans()
    .map(({ status, attributes }) => [status.code, attributes["http.response.status_code"]]);
  expect(shown).toEqual([
    [SpanStatusCode.UNSET, 404],
    [SpanStatusCode.ERROR, 500],
  ]);
});
