import { context, isSpanContextValid, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Tracer } from "@opentelemetry/api";
import { toError } from "@levelset/core";
import { problemOf } from "../problem.ts";
import type { RequestTracer } from "../observer.ts";
import type { RequestHeaders } from "../route.ts";

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

const STATUS = "http.response.status_code";

/** The library that the fleet's spans are of. */
export const TRACED_LIBRARY = "@levelset/fleet";

/**
 * A span of OpenTelemetry around each request, in the trace that the caller began by W3C's `traceparent`. Without an SDK in the process it
 * costs next to nothing and goes nowhere.
 */
export function requestTracer(tracer: Tracer = trace.getTracer(TRACED_LIBRARY)): RequestTracer {
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
          const answer = await work();
          span.setAttribute(STATUS, answer.status);
          return answer;
        } catch (error) {
          const { status } = problemOf(error);
          span.setAttribute(STATUS, status);
          // By convention a caller's mistake is no error of the server's span.
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: toError(error).message });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}

/** The trace of the caller; what is no valid header begins a new one. */
function callersContext(headers: RequestHeaders): Context {
  const [, traceId = "", spanId = "", flags = "0"] = TRACE_PARENT.exec(headers.get("traceparent") ?? "") ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(context.active(), parent) : context.active();
}
