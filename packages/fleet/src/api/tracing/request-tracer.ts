import { context, isSpanContextValid, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Tracer } from "@opentelemetry/api";
import { toError } from "@levelset/core/internal";
import { toHttpProblem } from "../http-problem.ts";
import type { RequestTracer } from "../observer.ts";
import type { RequestHeaders } from "../route.ts";

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

const STATUS = "http.response.status_code";

/** The instrumentation scope of the fleet's spans. */
export const TRACER_NAME = "@levelset/fleet";

/**
 * Creates an OpenTelemetry server span for each request, in the caller's trace (W3C `traceparent`). Without an SDK in
 * the process the overhead is negligible.
 */
export function requestTracer(tracer: Tracer = trace.getTracer(TRACER_NAME)): RequestTracer {
  return {
    run: (request, work) => {
      const { route, headers, requestId } = request;
      const attributes = {
        "http.request.method": route.method,
        "http.route": route.path,
        "hyperfleet.request_id": requestId,
        ...(route.kind === undefined ? {} : { "hyperfleet.kind": route.kind.kind }),
      };
      const options = { kind: SpanKind.SERVER, attributes };
      return tracer.startActiveSpan(`${route.method} ${route.path}`, options, callersContext(headers), async (span) => {
        try {
          const response = await work();
          span.setAttribute(STATUS, response.status);
          return response;
        } catch (error) {
          const { status } = toHttpProblem(error);
          span.setAttribute(STATUS, status);
          // OpenTelemetry HTTP conventions: a 4xx response is not an error of a server span.
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: toError(error).message });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}

/** Returns the caller's trace context; an invalid header starts a new trace. */
function callersContext(headers: RequestHeaders): Context {
  const [, traceId = "", spanId = "", flags = "0"] = TRACE_PARENT.exec(headers.get("traceparent") ?? "") ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(context.active(), parent) : context.active();
}
