import type { AnySchema } from "@levelset/core/schema";
import type { JsonValue } from "@levelset/core";
import type { FleetKind } from "../resource/index.ts";
import type { Caller } from "../service/index.ts";

/** The methods of routes. GET routes also serve HEAD. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** The permission that a route requires: none, read, declare, force deletion, or report as an adapter. */
export type Permission = "none" | "read" | "declare" | "force" | "report";

/** A named schema. Two schemas of one name are the same. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: AnySchema;
  /** Whether unknown fields are refused. Default: they are ignored. */
  readonly isClosed?: boolean;
}

/** A query parameter. The handler validates the value; unknown parameters are ignored. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: AnySchema;
}

/** A header that a route reads. */
export interface HeaderParameter {
  /** In lower case. */
  readonly name: string;
  readonly description: string;
}

/** A successful response of a route. */
export interface ResponseSchema {
  readonly status: number;
  readonly description: string;
  /** Absent: no body. */
  readonly shape?: NamedSchema;
  /** Default application/json. */
  readonly contentType?: string;
}

/** One operation of the API. The router, the OpenAPI document and the metrics are derived from it. */
export interface Route {
  readonly method: Method;
  /** The absolute path with parameter names in braces: `/api/hyperfleet/v1/clusters/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** The kind of the resources; absent for routes of any kind. */
  readonly kind?: FleetKind;
  /** The kind of the parent in the path. */
  readonly parent?: FleetKind;
  readonly permission: Permission;
  readonly query?: readonly QueryParameter[];
  readonly headers?: readonly HeaderParameter[];
  readonly request?: NamedSchema;
  readonly responses: readonly ResponseSchema[];
  readonly handle: (context: RequestContext) => Promise<HandlerResponse>;
}

/** Request headers. Names are case-insensitive. Repeated headers are joined (RFC 9110). */
export interface RequestHeaders {
  get(name: string): string | undefined;
}

/** A request as passed to a handler. */
export interface RequestContext {
  readonly route: Route;
  readonly method: Method | "HEAD";
  /** The request path without query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  readonly caller: Caller;
  readonly requestId: string;
  /** Aborts when the client no longer waits for the response, or the server is closing. */
  readonly signal: AbortSignal;
  /** Returns the body, parsed once. Throws an `HttpProblem`: VAL-006 for invalid JSON, LMT-002 if it is too large. */
  body(): Promise<{ readonly text: string; readonly json: JsonValue }>;
}

/**
 * The response of a handler. Header names are in lower case. A stream is sent as it arrives, and ends when the client
 * disconnects.
 */
export interface HandlerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: HandlerResponseBody;
}

/** The body of a response. */
export type HandlerResponseBody =
  | { readonly kind: "json"; readonly json: JsonValue }
  /** Already serialised text. */
  | { readonly kind: "text"; readonly text: string; readonly contentType: string }
  | {
      readonly kind: "stream";
      readonly chunks: AsyncIterable<string>;
      readonly contentType: string;
      /** Aborts when the connection must be closed at once because its reader is too slow. */
      readonly abort?: AbortSignal;
    };

/** Returns a JSON response. */
export function jsonResponse(
  json: JsonValue,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): HandlerResponse {
  return { status, headers, body: { kind: "json", json } };
}
