/** A failure that the user can act on: the message states the problem and what to do. */
export class EnvtestError extends Error {
  override readonly name = "EnvtestError";
}

/** Returns the message of any thrown value, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a system call failed with this code, for instance `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
