import type { ObjectRef } from "@levelset/operator";

/** Formats a reference for a topic or a path. Its parts are escaped, so different references have different texts. */
export function formatRef({ apiVersion, kind, namespace = "", name }: ObjectRef): string {
  return [apiVersion, kind, namespace === "" ? "-" : namespace, name].map(encodeURIComponent).join("/");
}

/** Parses the result of {@link formatRef}; returns undefined for other text. */
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
    return ""; // invalid escape sequence
  }
}
