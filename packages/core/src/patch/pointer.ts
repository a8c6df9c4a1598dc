/** A text that is no JSON pointer. */
export class PointerError extends Error {
  override readonly name: string = "PointerError";
  /** Offset in the text, from 0. */
  readonly position: number;

  constructor(reason: string, position: number) {
    super(`${reason}, at position ${position}`);
    this.position = position;
  }
}

/**
 * The reference tokens of a JSON pointer (RFC 6901): `/a~1b/0` is `["a/b", "0"]`, and the empty pointer, which is the
 * whole document, has none. Throws a `PointerError`.
 */
export function parsePointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new PointerError("a JSON pointer is empty or begins with '/'", 0);
  const stray = /~(?![01])/.exec(pointer);
  if (stray !== null) throw new PointerError("in a JSON pointer '~' is written '~0'", stray.index);
  return pointer.slice(1).split("/").map(unescapeToken);
}

/** The JSON pointer with these reference tokens. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join("");
}

// `~1` before `~0`, and the reverse when writing: `~01` is the token `~1`, not `/`.
function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
