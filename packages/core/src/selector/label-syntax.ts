/**
 * Syntax of label keys (also used for annotations, finalizers and condition types) and label values (docs: Labels and
 * Selectors).
 */

const NAME_LENGTH_MAX = 63;
const PREFIX_LENGTH_MAX = 253;

const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** Returns the problem with a label key (an optional DNS prefix with a slash, and a name); undefined if it is valid. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) return "a key can have only one '/'";
  if (parts.length === 2) {
    const problem = prefixProblem(parts[0] ?? "");
    if (problem !== undefined) return problem;
  }
  if (name === "") return "the name of a key must not be empty";
  if (name.length > NAME_LENGTH_MAX) return `the name of a key has at most ${NAME_LENGTH_MAX} characters`;
  if (!NAME.test(name))
    return "the name of a key must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit";
  return undefined;
}

/** Returns the problem with a label value; undefined if it is valid. The empty value is valid. */
export function labelValueProblem(value: string): string | undefined {
  if (value === "") return undefined;
  if (value.length > NAME_LENGTH_MAX) return `a label value has at most ${NAME_LENGTH_MAX} characters`;
  if (!NAME.test(value))
    return "a label value must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit";
  return undefined;
}

function prefixProblem(prefix: string): string | undefined {
  if (prefix === "") return "the prefix of a key must not be empty";
  if (prefix.length > PREFIX_LENGTH_MAX) return `the prefix of a key has at most ${PREFIX_LENGTH_MAX} characters`;
  if (!SUBDOMAIN.test(prefix)) return "the prefix of a key must be a DNS name in lower case";
  return undefined;
}
