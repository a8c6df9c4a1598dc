import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { parseDocuments, readText } from "../yaml/index.ts";
import type { Shell } from "../terminal/index.ts";

/** Keys that would modify the prototype. */
const UNSAFE: readonly string[] = ["__proto__", "constructor", "prototype"];

/** A path in a spec and its new value. */
interface Assignment {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** Parses `a.b=c`; a dot in a key is written `\.`. The value is YAML, or plain text with `isText`. */
export function parseAssignment(arg: string, isText: boolean): Assignment {
  const at = arg.indexOf("=");
  const path =
    at < 1
      ? []
      : arg
          .slice(0, at)
          .split(/(?<!\\)\./u)
          .map((name) => name.replaceAll("\\.", "."));
  const isWhole = path.length > 0 && path.every((name) => name !== "" && !UNSAFE.includes(name));
  if (!isWhole)
    throw new InputError(`${JSON.stringify(arg)} is not an assignment`, {
      hint: "write PATH=VALUE, e.g. nodes.count=3",
    });
  const text = arg.slice(at + 1);
  return { path, value: isText ? text : valueOf(text, arg) };
}

function valueOf(text: string, arg: string): JsonValue {
  const [found] = text.trim() === "" ? [] : parseDocuments(text, JSON.stringify(arg));
  // YAML of JSON's types only.
  return found === undefined ? (text.trim() === "" ? "" : null) : (found.document as JsonValue);
}

/** Applies assignments in order. Throws an InputError if a path crosses a value that is not an object. */
export function applyAssignments(spec: JsonObject, assignments: readonly Assignment[]): JsonObject {
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

/** Reads a YAML or JSON file with one object; `-` is stdin. */
export async function readObjectFile(file: string, shell: Shell): Promise<JsonObject> {
  const [only, ...others] = await readObjectDocuments(file, shell);
  const source = sourceName(file);
  if (only === undefined) throw new InputError(`${source} has no document`);
  if (others.length === 0) return only.object;
  throw new InputError(`${source} has more than one document`, {
    hint: `levelset create -f ${file} creates all of them`,
  });
}

/** Reads all objects of a file with their locations. */
export async function readObjectDocuments(
  file: string,
  shell: Shell,
): Promise<readonly { readonly object: JsonObject; readonly at: string }[]> {
  const text = file === "-" ? await shell.stdin() : await readText(file, shell);
  return parseDocuments(text, sourceName(file)).map(({ document, location }) => {
    if (!isJsonObject(document)) throw new InputError(`${location} is not an object`);
    return { object: document as JsonObject, at: location }; // YAML of JSON's types only
  });
}

function sourceName(file: string): string {
  return file === "-" ? "standard input" : file;
}
