import { isJsonObject } from "@levelset/core";
import { parseRetryAfter } from "@levelset/core/internal";
import type { FieldProblem } from "../resource/index.ts";
import type { WireProblem } from "./wire.ts";

/** The meaning of an error response for the caller. */
export type FleetApiErrorKind =
  /** The request is invalid; `errors` names the fields. */
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "notFound"
  /** The name is in use, or the resource's state does not allow the operation. */
  | "conflict"
  /** The resource changed since it was read: read again. */
  | "stale"
  /** The position in the feed or list has expired: list again. */
  | "expired"
  /** Rate limited or temporarily unavailable. */
  | "busy"
  /** Any other error. */
  | "failed";

const KINDS: Readonly<Record<number, FleetApiErrorKind>> = {
  400: "invalid",
  401: "unauthenticated",
  403: "forbidden",
  404: "notFound",
  409: "conflict",
  410: "expired",
  412: "stale",
  413: "invalid",
  415: "invalid",
  422: "invalid",
  429: "busy",
  502: "busy",
  503: "busy",
  504: "busy",
};

/** An error response of the API. The message is one line that names the fields. */
export class FleetApiError extends Error {
  override readonly name = "FleetApiError";
  readonly kind: FleetApiErrorKind;
  readonly status: number;
  /** For example `HYPERFLEET-VAL-000`; undefined if the response was not a problem document. */
  readonly code: string | undefined;
  readonly errors: readonly FieldProblem[];
  /** The request ID in the server's logs. */
  readonly requestId: string | undefined;
  /** The delay that the server requests before a retry. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    document: WireProblem,
    about: { readonly request: string; readonly retryAfterMs?: number },
  ) {
    super(messageOf(status, document, about.request));
    this.kind = KINDS[status] ?? "failed";
    this.status = status;
    this.code = document.code;
    this.errors = document.errors ?? [];
    this.requestId = document.trace_id;
    this.retryAfterMs = about.retryAfterMs;
  }
}

function messageOf(status: number, { detail, title, errors = [] }: WireProblem, request: string): string {
  const summary = detail ?? title ?? `${request}: the server responded with status ${status}`;
  const fields = errors
    .filter(({ field, message }) => !summary.includes(message) || !summary.includes(field))
    .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return [summary, ...fields].join("; ");
}

/** Returns true if an error is a `FleetApiError` of this kind. */
export function isFleetApiError(error: unknown, kind: FleetApiErrorKind): error is FleetApiError {
  return error instanceof FleetApiError && error.kind === kind;
}

/**
 * Parses an error response. A response that is not a problem document, such as a proxy's page, is described by its
 * status only.
 */
export async function readFleetApiError(response: Response, request: string, now: number): Promise<FleetApiError> {
  const text = await response.text().catch(() => "");
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), now);
  const about = { request, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return new FleetApiError(response.status, parseDocument(text), about);
}

function parseDocument(text: string): WireProblem {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return {}; // a page of an intermediary
  }
  if (!isJsonObject(parsed)) return {};
  const texts = ["type", "title", "detail", "instance", "code", "timestamp", "trace_id"] as const;
  const known = texts.flatMap((name) => (typeof parsed[name] === "string" ? [[name, parsed[name]] as const] : []));
  return { ...Object.fromEntries(known), errors: fieldProblems(parsed["errors"]) };
}

function fieldProblems(errors: unknown): readonly FieldProblem[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: unknown): readonly FieldProblem[] => {
    if (!isJsonObject(error)) return [];
    const { field, message, value } = error;
    if (typeof field !== "string" || typeof message !== "string") return [];
    return [{ field, message, ...(typeof value === "string" ? { value } : {}) }];
  });
}
