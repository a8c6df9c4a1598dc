import { isStatusReason, statusReasonForCode, STATUS_REASONS } from "./status-reason.ts";
import type { StatusReason, RetryStrategy } from "./status-reason.ts";

/** A problem with one field, as in `details.causes` of a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The object and the fields that a failure is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A `metav1.Status` object of a failure. */
export interface StatusObject {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  /** `continue`: token to continue an expired list with. */
  readonly metadata: { readonly continue?: string };
  readonly status: "Failure";
  readonly message: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** A Kubernetes API rejected a request or failed to serve it. Thrown by clients, and by servers to respond with. */
export class StatusError extends Error {
  override readonly name: string = "StatusError";
  readonly reason: StatusReason;
  readonly code: number;
  readonly details: StatusDetails | undefined;
  /** Token to continue an expired list with. The rest of the list is of a newer revision. */
  readonly continueToken: string | undefined;

  constructor(
    reason: StatusReason,
    message: string,
    options: { code?: number; details?: StatusDetails; continueToken?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = reason;
    this.code = options.code ?? STATUS_REASONS[reason].code;
    this.details = options.details;
    this.continueToken = options.continueToken;
  }

  /** Whether and when to send a request again that failed for this reason. */
  get retryStrategy(): RetryStrategy {
    return STATUS_REASONS[this.reason].retryStrategy;
  }

  /** Returns the Status object that a server responds with. */
  toStatus(): StatusObject {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: "Failure",
      message: this.message,
      // `reason` is omitted from the JSON if it is empty (`metav1.Status`).
      ...(this.reason === "Unknown" ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }

  /** Creates an error from a failed response: from the Status in the body, else from the HTTP code. */
  static fromResponse(code: number, body: unknown, retryAfterSeconds?: number, request?: string): StatusError {
    const status = isStatus(body) ? body : undefined;
    const reason = isStatusReason(status?.reason) ? status.reason : statusReasonForCode(code);
    const details: StatusDetails = {
      ...status?.details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    return new StatusError(
      reason,
      status?.message ?? `${request === undefined ? "" : `${request}: `}the server responded with ${code}`,
      {
        code: status?.code ?? code,
        ...(Object.keys(details).length === 0 ? {} : { details }),
        ...(typeof status?.metadata?.continue === "string" ? { continueToken: status.metadata.continue } : {}),
      },
    );
  }
}

function isStatus(body: unknown): body is Partial<StatusObject> {
  return typeof body === "object" && body !== null && "kind" in body && body.kind === "Status";
}
