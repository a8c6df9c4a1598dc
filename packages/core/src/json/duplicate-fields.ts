const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** The current container: an object, whose next string may be a key, or a list. */
type Place =
  | { readonly kind: "object"; readonly keys: Set<string>; key: string; expectsKey: boolean }
  | { readonly kind: "list"; index: number };

/**
 * Returns the paths of duplicate fields, each once, such as `spec.ports[0].name`. JSON parsers keep only the last
 * value, so duplicates cannot be detected after parsing. The text must be JSON.
 */
export function duplicateFields(text: string): readonly string[] {
  const places: Place[] = [];
  const found = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const place = places.at(-1);
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
        places.push({ kind: "object", keys: new Set(), key: "", expectsKey: true });
        break;
      case OPEN_LIST:
        places.push({ kind: "list", index: 0 });
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        places.pop();
        break;
      case COMMA:
        if (place?.kind === "object") place.expectsKey = true;
        else if (place?.kind === "list") place.index += 1;
        break;
      case QUOTE: {
        const end = endOfText(text, at);
        if (place?.kind === "object" && place.expectsKey) {
          place.key = keyOf(text.slice(at, end + 1));
          place.expectsKey = false;
          if (place.keys.has(place.key)) found.add(pathOf(places));
          place.keys.add(place.key);
        }
        at = end;
        break;
      }
      default:
    }
  }
  return [...found];
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

/** Decodes a key: equal keys may have different escapes. */
function keyOf(quoted: string): string {
  return quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

function pathOf(places: readonly Place[]): string {
  return places.reduce((path, place) => {
    if (place.kind === "list") return `${path}[${place.index}]`;
    return path === "" ? place.key : `${path}.${place.key}`;
  }, "");
}
