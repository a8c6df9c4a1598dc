import { SpanStatusCode, trace } from "@opentelemetry/api";
import { toError } from "@levelset/core/internal";
import type { Tracer } from "../engine/index.ts";

/** Returns a tracer that uses OpenTelemetry. Without an SDK in the process its spans are no-ops. */
export function openTelemetryTracer(): Tracer {
  const tracer = trace.getTracer("@levelset/operator");
  return {
    span: (name, attributes, work) => {
      const known = Object.entries(attributes).flatMap(([key, value]) =>
        typeof value === "string" || typeof value === "number" ? [[`levelset.${key}`, value] as const] : [],
      );
      return tracer.startActiveSpan(name, { attributes: Object.fromEntries(known) }, async (span) => {
        try {
          return await work();
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: toError(error).message });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}
