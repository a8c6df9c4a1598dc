import { truncateText } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import { RuleError, timeText } from "../resource/index.ts";
import type { FieldProblem } from "../resource/index.ts";
import { FleetError } from "../service/index.ts";
import { StoreUnavailableError } from "../store/index.ts";

const TYPE_BASE = "https://api.hyperfleet.io/errors/";
const CODE_PREFIX = "HYPERFLEET-";

/** The constant part of a problem. */
export interface ProblemType {
  readonly status: number;
  readonly slug: string;
  readonly title: string;
}

/** The code of a problem, without its prefix. */
export type ProblemCode =
  | `VAL-00${0 | 5 | 6 | 8 | 9}`
  | `AUT-00${1 | 2 | 3}`
  | "AUZ-001"
  | `NTF-00${0 | 1 | 4}`
  | `CNF-00${1 | 2 | 3}`
  | `LMT-00${1 | 2}`
  | "INT-001"
  | `SVC-00${1 | 2}`;

/** All problem codes of the API. VAL-008, VAL-009, LMT-002 and NTF-004 are additions of levelset. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemType>> = {
  "VAL-000": { status: 400, slug: "validation-error", title: "Validation Failed" },
  "VAL-005": { status: 400, slug: "bad-request", title: "Bad Request" },
  "VAL-006": { status: 400, slug: "malformed-request", title: "Malformed Request" },
  "VAL-008": { status: 405, slug: "method-not-allowed", title: "Method Not Allowed" },
  "VAL-009": { status: 415, slug: "unsupported-media-type", title: "Unsupported Media Type" },
  "AUT-001": { status: 401, slug: "authentication-error", title: "Authentication Required" },
  "AUT-002": { status: 401, slug: "authentication-error", title: "Invalid Credentials" },
  "AUT-003": { status: 401, slug: "authentication-error", title: "Expired Token" },
  "AUZ-001": { status: 403, slug: "authorization-error", title: "Forbidden" },
  "NTF-000": { status: 404, slug: "not-found", title: "Endpoint Not Found" },
  "NTF-001": { status: 404, slug: "not-found", title: "Resource Not Found" },
  "NTF-004": { status: 410, slug: "expired", title: "Position Expired" },
  "CNF-001": { status: 409, slug: "conflict", title: "Resource Conflict" },
  "CNF-002": { status: 412, slug: "conflict", title: "Version Conflict" },
  "CNF-003": { status: 409, slug: "conflict", title: "State Conflict" },
  "LMT-001": { status: 429, slug: "rate-limit", title: "Rate Limit Exceeded" },
  "LMT-002": { status: 413, slug: "too-large", title: "Request Too Large" },
  "INT-001": { status: 500, slug: "internal-error", title: "Internal Server Error" },
  "SVC-001": { status: 503, slug: "service-unavailable", title: "Service Unavailable" },
  "SVC-002": { status: 503, slug: "service-unavailable", title: "Service Busy" },
};

/** Options of {@link HttpProblem}. */
export interface ProblemOptions {
  /** Overrides the status of the code. */
  readonly status?: number;
  readonly errors?: readonly FieldProblem[];
  /** Response headers, names in lower case: `retry-after`, `www-authenticate`, `allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown by request handlers; sent as a problem document (RFC 9457). `message` is shown to the caller. */
export class HttpProblem extends Error {
  override readonly name = "HttpProblem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? PROBLEMS[code].status;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The request-specific fields of a problem document. */
export interface ProblemContext {
  /** The request path. */
  readonly instance: string;
  readonly time: number;
  readonly requestId: string;
}

/** The maximum number of reported field errors. */
const ERRORS_MAX = 100;
const VALUE_MAX = 256;
const TEXT_MAX = 2_048;

/** Converts a problem to its JSON document. */
export function problemJson(problem: HttpProblem, { instance, time, requestId }: ProblemContext): JsonObject {
  const { slug, title } = PROBLEMS[problem.code];
  return {
    type: `${TYPE_BASE}${slug}`,
    title,
    status: problem.status,
    detail: truncateText(problem.message, TEXT_MAX),
    instance: truncateText(instance, TEXT_MAX),
    code: `${CODE_PREFIX}${problem.code}`,
    timestamp: timeText(time),
    trace_id: requestId,
    ...(problem.errors.length === 0 ? {} : { errors: problem.errors.slice(0, ERRORS_MAX).map(errorJson) }),
  };
}

function errorJson({ value, field, message, constraint }: FieldProblem): JsonObject {
  return {
    field: truncateText(field, VALUE_MAX),
    message: truncateText(message, TEXT_MAX),
    ...(value === undefined ? {} : { value: truncateText(value, VALUE_MAX) }),
    ...(constraint === undefined ? {} : { constraint }),
  };
}

/** Retry-After of temporary failures, in seconds. */
const RETRY_SECONDS = "1";

/** Converts an error to a problem. Unexpected errors become INT-001, and the error text is not shown. */
export function toHttpProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof FleetError) return ofFleet(error);
  if (error instanceof RuleError) {
    return new HttpProblem("INT-001", `a rule of kind ${error.kind} failed: ${error.location}`, { cause: error });
  }
  if (error instanceof StoreUnavailableError) {
    const headers = { "retry-after": RETRY_SECONDS };
    return new HttpProblem("SVC-001", "Database connection unavailable", { headers, cause: error });
  }
  return new HttpProblem("INT-001", "unexpected error; find it in the server log by trace_id", { cause: error });
}

function ofFleet(error: FleetError): HttpProblem {
  const options: ProblemOptions = { errors: error.problems, cause: error };
  switch (error.reason) {
    case "invalid":
      return new HttpProblem("VAL-000", error.message, options);
    case "unusable":
      return new HttpProblem("VAL-005", error.message, options);
    case "unprocessable":
      return new HttpProblem("VAL-000", error.message, { ...options, status: 422 });
    case "not-found":
      return new HttpProblem("NTF-001", error.message, options);
    case "exists":
      return new HttpProblem("CNF-001", error.message, options);
    case "state":
      return new HttpProblem("CNF-003", error.message, options);
    case "version":
      return new HttpProblem("CNF-002", error.message, options);
    case "forbidden":
      return new HttpProblem("AUZ-001", error.message, options);
    case "busy":
      return new HttpProblem("SVC-002", error.message, { ...options, headers: { "retry-after": RETRY_SECONDS } });
    default:
      return error.reason satisfies never;
  }
}
