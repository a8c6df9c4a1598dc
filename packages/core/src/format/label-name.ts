import { dns1123SubdomainProblems } from "./dns-name.ts";
import { byteLength, patternProblem } from "./pattern-problem.ts";

const KEY_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const KEY_EXAMPLES = ["MyName", "my.name", "123-abc"];
const VALUE_RULE = `a valid label must be an empty string or ${KEY_RULE.replace("must consist", "consist")}`;
const VALUE_EXAMPLES = ["MyValue", "my_value", "12345"];
const LENGTH_MAX = 63;

/** Returns the problems with a qualified name: a name with an optional DNS subdomain prefix and slash. */
export function qualifiedNameProblems(text: string): readonly string[] {
  const parts = text.split("/");
  const keyProblem = patternProblem(KEY_RULE, KEY_PATTERN, KEY_EXAMPLES);
  if (parts.length > 2) {
    return [
      `a valid label key ${keyProblem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  const problems = parts.length === 2 ? [...prefixProblems(parts[0] ?? "")] : [];
  if (name === "") problems.push("name part must be non-empty");
  if (byteLength(name) > LENGTH_MAX) problems.push(`name part must be no more than ${LENGTH_MAX} bytes`);
  if (!isKeyText(name)) problems.push(`name part ${keyProblem}`);
  return problems;
}

/** Returns the problems with a label value. */
export function labelValueProblems(text: string): readonly string[] {
  const problems = byteLength(text) > LENGTH_MAX ? [`must be no more than ${LENGTH_MAX} bytes`] : [];
  if (text !== "" && !isKeyText(text)) problems.push(patternProblem(VALUE_RULE, `(${KEY_PATTERN})?`, VALUE_EXAMPLES));
  return problems;
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return dns1123SubdomainProblems(prefix, "bytes").map((problem) => `prefix part ${problem}`);
}

function isKeyText(text: string): boolean {
  return /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);
}
