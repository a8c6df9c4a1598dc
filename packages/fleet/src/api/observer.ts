import type { MetricsSource } from "@levelset/core/http";
import type { RequestHeaders, Route } from "./route.ts";

/** A completed request. */
export interface ObservedRequest {
  readonly method: string;
  /** Undefined if no route matched. */
  readonly route: Route | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** Collects metrics of the API. */
export interface Observer extends MetricsSource {
  observe(request: ObservedRequest): void;
}

/** Handles a request within a tracing span. */
export interface RequestTracer {
  run<T extends { readonly status: number }>(
    request: { readonly route: Route; readonly headers: RequestHeaders; readonly requestId: string },
    work: () => Promise<T>,
  ): Promise<T>;
}
