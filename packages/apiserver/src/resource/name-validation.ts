/**
 * Name rules with the messages of `k8s.io/apimachinery/pkg/util/validation/validation.go` (Kubernetes 1.36). Each
 * returns the problems of a name; an empty list means valid.
 */

/**
 * Validates the name of an object. With `isPrefix` the text is a `generateName`
 * (`k8s.io/apimachinery/pkg/api/validation/generic.go`, Kubernetes 1.36).
 */
export type NameRule = (name: string, isPrefix?: boolean) => readonly string[];

/** Allows a trailing dash in a prefix by replacing its last two characters (`maskTrailingDash`, same file). */
function masked(name: string, isPrefix: boolean): string {
  return isPrefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`, "u");
const NAME_PART_PATTERN = new RegExp(`^${NAME_PART}$`, "u");

/** RFC 1123 label: names of namespaces. */
export function dnsLabelProblems(text: string, isPrefix = false): readonly string[] {
  const name = masked(text, isPrefix);
  const problems: string[] = [];
  if (name.length > 63) problems.push("must be no more than 63 characters");
  if (SUBDOMAIN_PATTERN.test(name)) {
    if (name.includes(".")) problems.push("must not contain dots");
  } else {
    problems.push(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
        `alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    );
  }
  return problems;
}

/** RFC 1123 subdomain: names of most objects. */
export function dnsSubdomainProblems(text: string, isPrefix = false): readonly string[] {
  const name = masked(text, isPrefix);
  const problems: string[] = [];
  if (name.length > 253) problems.push("must be no more than 253 characters");
  if (!SUBDOMAIN_PATTERN.test(name)) {
    problems.push(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
        `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
    );
  }
  return problems;
}

/** `[prefix/]name`: keys of labels and annotations, finalizers. */
export function qualifiedNameProblems(text: string): readonly string[] {
  const parts = text.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) {
    return [
      "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
        `character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME_PART}') with an optional ` +
        "DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  }
  const problems: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    if (prefix === "") problems.push("prefix part must be non-empty");
    else problems.push(...dnsSubdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === "") return [...problems, "name part must be non-empty", namePartProblem("name part")];
  if (name.length > 63) problems.push("name part must be no more than 63 characters");
  if (!NAME_PART_PATTERN.test(name)) problems.push(namePartProblem("name part"));
  return problems;
}

function namePartProblem(what: string): string {
  return (
    `${what} must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric ` +
    `character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME_PART}')`
  );
}

/** The value of a label. */
export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push("must be no more than 63 characters");
  if (value !== "" && !NAME_PART_PATTERN.test(value)) {
    problems.push(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
        "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
        `'(${NAME_PART})?')`,
    );
  }
  return problems;
}

/** A DNS-1035 label: names that CustomResourceDefinitions introduce. */
export function dns1035Problems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 63) problems.push("must be no more than 63 characters");
  if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/u.test(name)) {
    problems.push(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
        "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
        "'[a-z]([-a-z0-9]*[a-z0-9])?')",
    );
  }
  return problems;
}

/** A key of a ConfigMap or a Secret. */
export function configKeyProblems(key: string): readonly string[] {
  const problems: string[] = [];
  if (key.length > 253) problems.push("must be no more than 253 characters");
  if (!/^[-._a-zA-Z0-9]+$/u.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
        "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/** A URL path segment, such as the name of a Role (`k8s.io/apimachinery/pkg/api/validation/path`, Kubernetes 1.36). */
export function pathSegmentProblems(name: string, isPrefix = false): readonly string[] {
  if (!isPrefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((text) => name.includes(text)).map((text) => `may not contain '${text}'`);
}
