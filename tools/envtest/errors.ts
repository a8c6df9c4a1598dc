/** A failure the reader can act on: the message is complete, names what is wrong, and says what to do. */
export class EnvtestError extends Error {
  override readonly name = "EnvtestError";
}

/** The text of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a system call failed with this code, for instance `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
