/**
 * Invalid JSON. The message states the problem and the position, but does not quote the text, which may be a secret.
 */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  /** The problem, without the position. */
  readonly reason: string;
  /** Offset in UTF-16 units, from 0. */
  readonly offset: number;
  /** Line, from 1. */
  readonly line: number;
  /** Column in UTF-16 units, from 1. */
  readonly column: number;

  constructor(reason: string, text: string, offset: number) {
    const lineStart = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
    const line = text.slice(0, lineStart).split("\n").length;
    const column = offset - lineStart + 1;
    super(`invalid JSON at line ${line} column ${column}: ${reason}`);
    this.reason = reason;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}
