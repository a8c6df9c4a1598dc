import { isReason, reasonOfCode, REASONS } from "./reason.ts";
import type { Reason, Remedy } from "./reason.ts";

/** One thing wrong with one field, as `details.causes` of a Status carries it. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What the failure is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The `Status` object of a failure, as it travels. */
export interface StatusObject {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  /** `continue`: where a list can go on nevertheless. */
  readonly metadata: { readonly continue?: string };
  readonly status: "Failure";
  readonly message: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** A Kubernetes API refused or failed a request. Thrown by clients, and by servers to answer with. */
export class StatusError extends Error {
  override readonly name: string = "StatusError";
  readonly reason: Reason;
  readonly code: number;
  readonly details: StatusDetails | undefined;
  /** Where a list can go on nevertheless, though no longer in the state it began in. */
  readonly continueToken: string | undefined;

  constructor(
    reason: Reason,
    message: string,
    options: { code?: number; details?: StatusDetails; continueToken?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = reason;
    this.code = options.code ?? REASONS[reason].code;
    this.details = options.details;
    this.continueToken = options.continueToken;
  }

  /** What may help; see `REASONS`. */
  get remedy(): Remedy {
    return REASONS[this.reason].remedy;
  }

  /** The Status object that a server answers with. */
  toStatus(): StatusObject {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: "Failure",
      message: this.message,
      // The real server leaves `reason` out where it has none.
      ...(this.reason === "Unknown" ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }

  /** Reads a failure answer: a Status if the body is one, else what the HTTP code says. */
  static fromResponse(code: number, body: unknown, retryAfterSeconds?: number, asked?: string): StatusError {
    const status = isStatus(body) ? body : undefined;
    const reason = isReason(status?.reason) ? status.reason : reasonOfCode(code);
    const details: StatusDetails = {
      ...status?.details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    return new StatusError(
      reason,
      status?.message ?? `${asked === undefined ? "" : `${asked}: `}the server answered ${code}`,
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
