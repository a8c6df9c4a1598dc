import { randomString } from "@levelset/core/internal";
import type { Random } from "@levelset/core";
import { isSpanContextValid, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Span, Tracer } from "@opentelemetry/api";

const HEX = "0123456789abcdef";

/** Creates spans for the work of a Sentinel and provides the traceparent of messages. */
export interface SentinelTracer {
  /** Runs work in a span. `traceparent` is for outgoing messages; undefined if tracing is off. */
  span<T>(name: string, work: (traceparent: string | undefined) => Promise<T>): Promise<T>;
}

/** Tracer that records nothing. */
export const noopSentinelTracer: SentinelTracer = { span: (_, work) => work(undefined) };

/**
 * Creates OpenTelemetry spans. Without an SDK in the process, each message starts its own trace with random IDs, so
 * that the spans of all adapters that handle it are correlated.
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

/** The last digit is never 0: an all-zero ID is invalid. */
function randomId(random: Random, length: number): string {
  return randomString(random, length - 1, HEX) + randomString(random, 1, HEX.slice(1));
}
