import { StatusError } from "./status.ts";

/** No answer came: refused, cut, timed out, or not what the protocol allows. Whether a write happened is not known. */
export class TransportError extends Error {
  override readonly name: string = "TransportError";
}

/** A declaration contradicts itself (a kind, a schema, a list of steps). Thrown at start-up, never while reconciling. */
export class DeclarationError extends Error {
  override readonly name: string = "DeclarationError";
}

/** Something a person gave us (a flag, a file, a kubeconfig) cannot be used. `hint` says what to do about it. */
export class InputError extends Error {
  override readonly name: string = "InputError";
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
  }
}

/** There is no such object (or kind). */
export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "NotFound";
}

/** Our copy was old, or another manager owns the field. */
export function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "Conflict";
}

/** An object of that name is there already. */
export function isAlreadyExists(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "AlreadyExists";
}

/** What was to be written is not as it must be, or a guard of a JSON patch does not hold: the same will be refused again. */
export function isInvalid(error: unknown): error is StatusError {
  return error instanceof StatusError && error.reason === "Invalid";
}

/** The revision or token asked for is no longer kept: list again. */
export function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.remedy === "relist";
}

/** Somebody asked us to stop. Not a failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** A mistake in a program rather than in its world: worth a stack trace. */
export function isProgrammingError(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    error instanceof RangeError ||
    error instanceof SyntaxError
  );
}

/** Whatever was thrown, as an Error. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "string" ? thrown : `thrown: ${JSON.stringify(thrown) ?? String(thrown)}`);
}

/** Ends a switch over all cases: does not compile while one is missing. */
export function unreachable(value: never): never {
  throw new TypeError(`unexpected case: ${JSON.stringify(value)}`);
}
