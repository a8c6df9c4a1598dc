import { truncateText } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { RuleError, timeText } from "../resource/index.ts";
import type { FieldProblem } from "../resource/index.ts";
import { FleetError } from "../service/index.ts";
import { StoreUnavailable } from "../store/index.ts";

const TYPE_BASE = "https://api.hyperfleet.io/errors/";
const CODE_PREFIX = "HYPERFLEET-";

/** What is known of a code besides what went wrong this time. */
export interface ProblemKind {
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

/** Every code that the API answers with. Those without a counterpart in the originals: VAL-008, VAL-009, LMT-002, NTF-004. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
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

/** What may be said of a problem besides its code and detail. */
export interface ProblemOptions {
  /** Where it differs from the code's own. */
  readonly status?: number;
  readonly errors?: readonly FieldProblem[];
  /** Headers of the answer, names in lower case: `retry-after`, `www-authenticate`, `allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Why a request is not done. Whoever handles a request throws it; the answer is a problem document of RFC 9457. `message` is shown to the caller. */
export class Problem extends Error {
  override readonly name = "Problem";
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

/** What a problem document tells of the request. */
export interface ProblemPlace {
  /** The path. */
  readonly instance: string;
  readonly time: number;
  readonly requestId: string;
}

/** How much of what went wrong is told: a caller may have sent a great deal of it. */
const ERRORS_MAX = 100;
const VALUE_MAX = 256;
const TEXT_MAX = 2_048;

/** A problem as callers see it. */
export function problemJson(problem: Problem, { instance, time, requestId }: ProblemPlace): JsonObject {
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

/** How long a caller should wait before it tries again what could not be done just now. */
const RETRY_SECONDS = "1";

/** The problem that an error is for the caller. What nobody expected becomes INT-001, and its text stays inside. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof FleetError) return ofFleet(error);
  if (error instanceof RuleError) {
    return new Problem("INT-001", `a rule of the kind ${error.kind} failed: ${error.place}`, { cause: error });
  }
  if (error instanceof StoreUnavailable) {
    const headers = { "retry-after": RETRY_SECONDS };
    return new Problem("SVC-001", "Database connection unavailable", { headers, cause: error });
  }
  return new Problem("INT-001", "an unexpected error occurred; trace_id finds it in the log", { cause: error });
}

function ofFleet(error: FleetError): Problem {
  const options: ProblemOptions = { errors: error.problems, cause: error };
  switch (error.reason) {
    case "invalid":
      return new Problem("VAL-000", error.message, options);
    case "unusable":
      return new Problem("VAL-005", error.message, options);
    case "unprocessable":
      return new Problem("VAL-000", error.message, { ...options, status: 422 });
    case "not-found":
      return new Problem("NTF-001", error.message, options);
    case "exists":
      return new Problem("CNF-001", error.message, options);
    case "state":
      return new Problem("CNF-003", error.message, options);
    case "version":
      return new Problem("CNF-002", error.message, options);
    case "forbidden":
      return new Problem("AUZ-001", error.message, options);
    case "busy":
      return new Problem("SVC-002", error.message, { ...options, headers: { "retry-after": RETRY_SECONDS } });
    default:
      return error.reason satisfies never;
  }
}
