import { byteLength, patternProblem } from "./problem.ts";

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

/** Whether the text has the characters of an RFC 1123 label in lower case, of any length. */
export function isLabelText(text: string): boolean {
  return /^[a-z0-9-]+$/.test(text) && !text.startsWith("-") && !text.endsWith("-");
}

/** Whether the text is made of labels with dots between them, of any length. */
export function isSubdomainText(text: string): boolean {
  return text.split(".").every(isLabelText);
}

/** What is wrong with an RFC 1123 label, the name of most objects that others refer to in DNS. */
export function dns1123LabelProblems(text: string): readonly string[] {
  const problems = tooLong(text, LABEL_MAX, "characters");
  if (isLabelText(text)) return problems;
  if (isSubdomainText(text)) return [...problems, "must not contain dots"];
  return [...problems, patternProblem(LABEL_RULE, LABEL_PATTERN, ["my-name", "123-abc"])];
}

/** What is wrong with an RFC 1123 subdomain, the name of most objects. Kubernetes counts in two units. */
export function dns1123SubdomainProblems(text: string, unit: "characters" | "bytes"): readonly string[] {
  const problems = tooLong(text, SUBDOMAIN_MAX, unit);
  if (isSubdomainText(text)) return problems;
  return [...problems, patternProblem(SUBDOMAIN_RULE, SUBDOMAIN_PATTERN, ["example.com"])];
}

/** What is wrong with an RFC 1035 label, the name of a service. */
export function dns1035LabelProblems(text: string): readonly string[] {
  const problems = tooLong(text, LABEL_MAX, "characters");
  if (isLabelText(text) && /^[a-z]/.test(text)) return problems;
  return [...problems, patternProblem(LABEL_1035_RULE, LABEL_1035_PATTERN, ["my-name", "abc-123"])];
}

/** A prefix as the name that stands for it when it is checked: a dash at its end is fine, more will follow. */
export function nameOfPrefix(prefix: string): string {
  // Kubernetes drops two bytes: the dash, and one that, if it is no ASCII, leaves a broken character behind.
  const masked = prefix.endsWith("-") && prefix.length > 1 && prefix.charAt(prefix.length - 2) < "\u0080";
  return masked ? `${prefix.slice(0, -2)}a` : prefix;
}

function tooLong(text: string, max: number, unit: "characters" | "bytes"): readonly string[] {
  return byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : [];
}
