import { InvalidArgumentError } from "commander";

/** Maximum length of a project name: it leaves room for the suffixes of generated objects in a DNS label. */
export const NAME_MAX = 50;

/** Parses a project name, which also names the generated objects. */
export function parseName(text: string): string {
  if (isLabel(text) && text.length <= NAME_MAX) return text;
  throw new InvalidArgumentError(`write lower-case letters, digits and dashes, at most ${NAME_MAX} characters.`);
}

/** Parses the name of a namespace. */
export function parseNamespace(text: string): string {
  if (isLabel(text)) return text;
  throw new InvalidArgumentError("not a valid namespace name (DNS label).");
}

/** Parses a comma-separated list of namespaces. */
export function parseNamespaces(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const invalid = names.find((name) => !isLabel(name));
  if (invalid === undefined) return [...new Set(names)];
  throw new InvalidArgumentError(`${JSON.stringify(invalid)} is not a valid namespace name (DNS label).`);
}

/** Reports whether a text is a DNS label (RFC 1123). */
function isLabel(text: string): boolean {
  return /^[a-z\d](?:[-a-z\d]{0,61}[a-z\d])?$/u.test(text);
}
