/** A malformed JSON pointer. */
export class JsonPointerError extends Error {
  override readonly name: string = "JsonPointerError";
  /** Offset in the text, from 0. */
  readonly position: number;

  constructor(reason: string, position: number) {
    super(`${reason}, at position ${position}`);
    this.position = position;
  }
}

/**
 * Parses the reference tokens of a JSON pointer (RFC 6901): `/a~1b/0` is `["a/b", "0"]`. The empty pointer, the whole
 * document, has no tokens. Throws a `JsonPointerError`.
 */
export function parseJsonPointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new JsonPointerError("a JSON pointer must be empty or begin with '/'", 0);
  const unlistedRef = /~(?![01])/.exec(pointer);
  if (unlistedRef !== null) throw new JsonPointerError("in a JSON pointer '~' is written '~0'", unlistedRef.index);
  return pointer.slice(1).split("/").map(unescapeToken);
}

/** Formats reference tokens as a JSON pointer. */
export function formatJsonPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join("");
}

// `~1` before `~0`, and the reverse when writing: `~01` is the token `~1`, not `/`.
function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
