import { randomText } from "@levelset/core";
import type { Random } from "@levelset/core";
import { isSpanContextValid, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Span, Tracer } from "@opentelemetry/api";

const HEX = "0123456789abcdef";

/** Makes spans around what a Sentinel does, and says under which of them a message is sent. */
export interface SentinelTracer {
  /** Runs work in a span; `traceparent` is for what it sends, undefined where nothing is traced. */
  span<T>(name: string, work: (traceparent: string | undefined) => Promise<T>): Promise<T>;
}

/** Traces nothing. */
export const NO_TRACES: SentinelTracer = { span: (_, work) => work(undefined) };

/**
 * Spans by OpenTelemetry. Without an SDK in the process a trace begins with the message: it gets identifiers of its own, so that the spans
 * of all adapters that handle it belong together.
 */
export function sentinelTracer(random: Random, tracer: Tracer = trace.getTracer("@levelset/fleet")): SentinelTracer {
  return {
    span: (name, work) => {
      return tracer.startActiveSpan(name, { kind: SpanKind.PRODUCER }, async (span) => {
        try {
          return await work(traceParent(span, random));
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}

function traceParent(span: Span, random: Random): string {
  const context = span.spanContext();
  if (!isSpanContextValid(context)) return `00-${randomId(random, 32)}-${randomId(random, 16)}-01`;
  return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, "0")}`;
}

/** The last digit is never 0: all zeros stand for none. */
function randomId(random: Random, length: number): string {
  return randomText(random, length - 1, HEX) + randomText(random, 1, HEX.slice(1));
}
