import type { RequestHeaders, Route } from "./route.ts";

/** A request that was answered. */
export interface ObservedRequest {
  readonly method: string;
  /** Undefined where no route was found. */
  readonly route: Route | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** Counts what the API does. */
export interface Observer {
  observe(request: ObservedRequest): void;
  /** What is served at /metrics. */
  render(): Promise<{ readonly body: string; readonly contentType: string }>;
}

/** Runs the handling of a request within a span. */
export interface RequestTracer {
  run<T extends { readonly status: number }>(
    request: { readonly route: Route; readonly headers: RequestHeaders; readonly requestId: string },
    work: () => Promise<T>,
  ): Promise<T>;
}
