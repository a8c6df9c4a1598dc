import { StatusError } from "./status-error.ts";

/**
 * The request failed without a valid response: connection refused, reset, timed out, or protocol violation. A write may
 * have been applied.
 */
export class TransportError extends Error {
  override readonly name: string = "TransportError";
}

/** A declaration (kind, schema, list of steps) is inconsistent. Thrown at start-up, never while reconciling. */
export class DeclarationError extends Error {
  override readonly name: string = "DeclarationError";
}

/** User input (a flag, a file, a kubeconfig) cannot be used. `hint` states what to do about it. */
export class InputError extends Error {
  override readonly name: string = "InputError";
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
  }
}

/** The object or kind does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "NotFound";
}

/** The resourceVersion is outdated, or another manager owns the field. */
export function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "Conflict";
}

/** An object of that name already exists. */
export function isAlreadyExists(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "AlreadyExists";
}

/** The object is invalid, or a `test` of a JSON patch failed. Repeating the request fails again. */
export function isInvalid(error: unknown): error is StatusError {
  return error instanceof StatusError && error.reason === "Invalid";
}

/**
 * The object exceeds a size limit of the server or of its store. Repeating the request fails again. kube-apiserver
 * reports the limits of etcd with code 500 and the message of etcd (go.etcd.io/etcd/api/v3rpc/rpctypes/error.go) or of
 * its gRPC client.
 */
export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  if (error.reason === "RequestEntityTooLarge" || error.code === 413) return true;
  return error.code === 500 && /request is too large|message larger than max/u.test(error.message);
}

/** The requested revision or continue token has expired. List again. */
export function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.retryStrategy === "relist";
}

/** The operation was aborted by its signal, which is not a failure. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** A bug in a program rather than a runtime failure. Log it with its stack trace. */
export function isProgrammingError(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    error instanceof RangeError ||
    error instanceof SyntaxError
  );
}

/** Converts any thrown value to an Error. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "string" ? thrown : `thrown: ${JSON.stringify(thrown) ?? String(thrown)}`);
}

/** Ends an exhaustive switch. Does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new TypeError(`unexpected case: ${JSON.stringify(value)}`);
}
