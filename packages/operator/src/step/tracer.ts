import type { LogFields } from "@levelset/core";

/** Measures a piece of work for whoever collects traces. */
export interface Tracer {
  /** Does the work inside a span. What it throws is recorded and thrown on. */
  span<T>(name: string, attributes: LogFields, work: () => Promise<T>): Promise<T>;
}

/** Measures nothing. */
export const noTracer: Tracer = { span: (_name, _attributes, work) => work() };
