import { byteLength, patternProblem } from "./pattern-problem.ts";

const LABEL_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN_PATTERN = `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`;
const LABEL_1035_PATTERN = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

const LABEL_MAX = 63;
const SUBDOMAIN_MAX = 253;

/** Reports whether the text has the characters of a lowercase RFC 1123 label, of any length. */
export function isLabelText(text: string): boolean {
  return /^[a-z0-9-]+$/.test(text) && !text.startsWith("-") && !text.endsWith("-");
}

/** Reports whether the text consists of labels separated by dots, of any length. */
export function isSubdomainText(text: string): boolean {
  return text.split(".").every(isLabelText);
}

/** Returns the problems with an RFC 1123 label, the name of objects that appear in DNS. */
export function dns1123LabelProblems(text: string): readonly string[] {
  const problems = tooLong(text, LABEL_MAX, "characters");
  if (isLabelText(text)) return problems;
  if (isSubdomainText(text)) return [...problems, "must not contain dots"];
  return [...problems, patternProblem(LABEL_RULE, LABEL_PATTERN, ["my-name", "123-abc"])];
}

/**
 * Returns the problems with an RFC 1123 subdomain, the name of most objects. Kubernetes uses two units in its messages.
 */
export function dns1123SubdomainProblems(text: string, unit: "characters" | "bytes"): readonly string[] {
  const problems = tooLong(text, SUBDOMAIN_MAX, unit);
  if (isSubdomainText(text)) return problems;
  return [...problems, patternProblem(SUBDOMAIN_RULE, SUBDOMAIN_PATTERN, ["example.com"])];
}

/** Returns the problems with an RFC 1035 label, the name of a Service. */
export function dns1035LabelProblems(text: string): readonly string[] {
  const problems = tooLong(text, LABEL_MAX, "characters");
  if (isLabelText(text) && /^[a-z]/.test(text)) return problems;
  return [...problems, patternProblem(LABEL_1035_RULE, LABEL_1035_PATTERN, ["my-name", "abc-123"])];
}

/**
 * Returns the name that is validated in place of a prefix: a trailing dash is allowed, because a suffix follows
 * (`maskTrailingDash`, k8s.io/apimachinery/pkg/api/validation/generic.go).
 */
export function maskTrailingDash(prefix: string): string {
  // Kubernetes drops two bytes: the dash, and the byte before, which may break a character that is not ASCII.
  const masked = prefix.endsWith("-") && prefix.length > 1 && prefix.charAt(prefix.length - 2) < "\u0080";
  return masked ? `${prefix.slice(0, -2)}a` : prefix;
}

function tooLong(text: string, max: number, unit: "characters" | "bytes"): readonly string[] {
  return byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : [];
}
