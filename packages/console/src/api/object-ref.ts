import type { ObjectRef } from "@levelset/operator";

/** An object's name as the rest of a topic or a path: parts are escaped, so no name can be mistaken for another. */
export function formatRef({ apiVersion, kind, namespace = "", name }: ObjectRef): string {
  return [apiVersion, kind, namespace === "" ? "-" : namespace, name].map(encodeURIComponent).join("/");
}

/** Reads it back; undefined for what names no object. */
export function parseRef(text: string): ObjectRef | undefined {
  const parts = text.split("/").map(decoded);
  const [apiVersion, kind, namespace, name] = parts;
  if (parts.length !== 4 || !apiVersion || !kind || !namespace || !name) return undefined;
  return { apiVersion, kind, name, ...(namespace === "-" ? {} : { namespace }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return ""; // no escape of ours
  }
}
