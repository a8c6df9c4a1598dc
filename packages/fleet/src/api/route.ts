import type { AnySchema, JsonValue } from "@levelset/core";
import type { FleetKind } from "../resource/index.ts";
import type { Caller } from "../service/index.ts";

/** The methods that routes have. HEAD is answered by those of GET. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** What a caller must be allowed to: nothing at all, to read, to declare, to delete by force, or to report as an adapter. */
export type Access = "none" | "read" | "declare" | "force" | "report";

/** Data with a name, under which documents refer to it. Two shapes of one name are the same. */
export interface Shape {
  readonly name: string;
  readonly schema: AnySchema;
  /** Whether members that it does not name are refused. Default: they are ignored. */
  readonly isClosed?: boolean;
}

/** A parameter of a query. The value is checked by the handler; what no route names is ignored. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: AnySchema;
}

/** A header that means something to a route. */
export interface HeaderParameter {
  /** In lower case. */
  readonly name: string;
  readonly description: string;
}

/** An answer of a route that is no problem. */
export interface AnswerShape {
  readonly status: number;
  readonly description: string;
  /** Absent: no body. */
  readonly shape?: Shape;
  /** Default application/json. */
  readonly contentType?: string;
}

/** One operation of the API: all there is to know of it, for the router, for documents and for metrics. */
export interface Route {
  readonly method: Method;
  /** From the root, with names of parameters in braces: `/api/hyperfleet/v1/clusters/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** The kind that it is about; absent for those of any kind. */
  readonly kind?: FleetKind;
  /** The kind of the parent in its path. */
  readonly parent?: FleetKind;
  readonly needs: Access;
  readonly query?: readonly QueryParameter[];
  readonly headers?: readonly HeaderParameter[];
  readonly request?: Shape;
  readonly answers: readonly AnswerShape[];
  readonly handle: (exchange: Exchange) => Promise<Answer>;
}

/** Headers of a request. Names in any case. Several of one name are joined as HTTP says. */
export interface RequestHeaders {
  get(name: string): string | undefined;
}

/** A request on its way through a route. */
export interface Exchange {
  readonly route: Route;
  readonly method: Method | "HEAD";
  /** The path as it was asked for, without query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  readonly caller: Caller;
  readonly requestId: string;
  /** Aborts when nobody waits for the answer any more, or the server is closing. */
  readonly signal: AbortSignal;
  /** The body, parsed once. Throws a problem: VAL-006 for what is no JSON, LMT-002 for too much of it. */
  body(): Promise<{ readonly text: string; readonly json: JsonValue }>;
}

/** What a handler answers. Names of headers are in lower case. A stream is sent as it comes, and ended when the caller leaves. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AnswerBody;
}

/** The body of an answer. */
export type AnswerBody =
  | { readonly kind: "json"; readonly json: JsonValue }
  /** JSON that is text already. */
  | { readonly kind: "text"; readonly text: string; readonly contentType: string }
  | {
      readonly kind: "stream";
      readonly chunks: AsyncIterable<string>;
      readonly contentType: string;
      /** Aborts when the connection is to be cut at once: its reader is too slow, and would hold on to it for ever. */
      readonly cut?: AbortSignal;
    };

/** An answer of data. */
export function jsonAnswer(json: JsonValue, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: { kind: "json", json } };
}
