import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { parseDocuments, readText } from "../documents.ts";
import type { Shell } from "../shell.ts";

/** Names that would reach beyond an object's own members. */
const UNSAFE: readonly string[] = ["__proto__", "constructor", "prototype"];

/** A member of a spec, and the value that it gets. */
interface Assignment {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** Reads `a.b=c`; a dot that belongs to a name is written `\.`. `isText` takes the value as it is, else it is read as YAML. */
export function parseAssignment(word: string, isText: boolean): Assignment {
  const at = word.indexOf("=");
  const path =
    at < 1
      ? []
      : word
          .slice(0, at)
          .split(/(?<!\\)\./u)
          .map((name) => name.replaceAll("\\.", "."));
  const isWhole = path.length > 0 && path.every((name) => name !== "" && !UNSAFE.includes(name));
  if (!isWhole)
    throw new InputError(`${JSON.stringify(word)} sets nothing`, { hint: "write PATH=VALUE, such as nodes.count=3" });
  const text = word.slice(at + 1);
  return { path, value: isText ? text : valueOf(text, word) };
}

function valueOf(text: string, word: string): JsonValue {
  const [found] = text.trim() === "" ? [] : parseDocuments(text, JSON.stringify(word));
  // YAML of JSON's types only.
  return found === undefined ? (text.trim() === "" ? "" : null) : (found.document as JsonValue);
}

/** A spec with members set, one after the other. What is on the way and no object is refused. */
export function assign(spec: JsonObject, assignments: readonly Assignment[]): JsonObject {
  return assignments.reduce<JsonObject>((changed, { path, value }) => withMember(changed, path, value, path), spec);
}

function withMember(
  object: JsonObject,
  [name = "", ...rest]: readonly string[],
  value: JsonValue,
  whole: readonly string[],
): JsonObject {
  if (rest.length === 0) return { ...object, [name]: value };
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  if (inner !== undefined && inner !== null && !isJsonObject(inner)) {
    throw new InputError(`${whole.join(".")} cannot be set: ${name} is not an object`);
  }
  return { ...object, [name]: withMember(inner ?? {}, rest, value, whole) };
}

/** Reads a file with one object in YAML or JSON; `-` is what is piped in. */
export async function readObject(file: string, shell: Shell): Promise<JsonObject> {
  const [only, ...others] = await readObjects(file, shell);
  const place = placeOf(file);
  if (only === undefined) throw new InputError(`${place} holds no object`);
  if (others.length === 0) return only.object;
  throw new InputError(`${place} holds more than one document`, {
    hint: `levelset create -f ${file} creates all of them`,
  });
}

/** Reads all objects of a file, each with its place in it. */
export async function readObjects(
  file: string,
  shell: Shell,
): Promise<readonly { readonly object: JsonObject; readonly at: string }[]> {
  const text = file === "-" ? await shell.stdin() : await readText(file, shell);
  return parseDocuments(text, placeOf(file)).map(({ document, at }) => {
    if (!isJsonObject(document)) throw new InputError(`${at} is no object`);
    return { object: document as JsonObject, at }; // YAML of JSON's types only
  });
}

function placeOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
