import type { LogFields } from "@levelset/core";

/** Creates trace spans. */
export interface Tracer {
  /** Runs the work inside a span. Records an error of the work and rejects with it. */
  span<T>(name: string, attributes: LogFields, work: () => Promise<T>): Promise<T>;
}

/** A tracer that creates no spans. */
export const noopTracer: Tracer = { span: (_name, _attributes, work) => work() };
