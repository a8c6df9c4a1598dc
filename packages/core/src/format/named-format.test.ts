import { expect, test } from "vitest";
import { namedFormats } from "./named-format.ts";

/** Returns the problems that the format reports. */
function problems(format: string, text: string): readonly string[] {
  const found = namedFormats.get(format);
  if (found === undefined) throw new Error(`no format ${format}`);
  return found.validate(text);
}

const labelProblem =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomainProblem =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035Problem =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const keyProblem =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueProblem =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

test.each([
  ["dns1123Label", "my-label-1"],
  ["dns1123Label", "x".repeat(63)],
  ["dns1123Subdomain", "apiextensions.k8s.io"],
  ["dns1123Subdomain", "x".repeat(253)],
  ["dns1035Label", "my-label"],
  ["qualifiedName", "apiextensions.k8s.io/v1beta1"],
  ["qualifiedName", "My_Name.x"],
  ["dns1123LabelPrefix", "my-label-prefix-"],
  ["dns1123SubdomainPrefix", "mysubdomain.prefix.-"],
  ["dns1035LabelPrefix", "my-label-prefix-"],
  ["labelValue", ""],
  ["labelValue", "My_Value.1"],
  ["uri", "http://example.com/a?b#c"],
  ["uri", "/a"],
  ["uuid", "123E4567-e89b-12d3-a456-426614174000"],
  ["uuid", "123e4567e89b12d3a456426614174000"],
  ["byte", "aGVsbG8="],
  ["date", "2024-02-29"],
  ["datetime", "2021-01-01T00:00:00Z"],
  ["datetime", "2021-01-01t00:00:00.5+01:00"],
])("the %s %j is valid", (format, text) => {
  expect(problems(format, text)).toEqual([]);
});

test.each([
  ["dns1123Label", "", [labelProblem]],
  ["dns1123Label", "A", [labelProblem]],
  ["dns1123Label", "a.b", ["must not contain dots"]],
  ["dns1123Label", "x".repeat(64), ["must be no more than 63 characters"]],
  ["dns1123Label", "ä".repeat(32), ["must be no more than 63 characters", labelProblem]],
  ["dns1123Subdomain", "a..b", [subdomainProblem]],
  ["dns1123Subdomain", "x".repeat(254), ["must be no more than 253 characters"]],
  ["dns1035Label", "1a", [label1035Problem]],
  ["dns1035Label", "x".repeat(64), ["must be no more than 63 characters"]],
  ["qualifiedName", "", ["name part must be non-empty", `name part ${keyProblem}`]],
  ["qualifiedName", "/a", ["prefix part must be non-empty"]],
  ["qualifiedName", "A/a", [`prefix part ${subdomainProblem}`]],
  ["qualifiedName", `${"x".repeat(254)}/a`, ["prefix part must be no more than 253 bytes"]],
  ["qualifiedName", "x".repeat(64), ["name part must be no more than 63 bytes"]],
  [
    "qualifiedName",
    "a/b/c",
    [`a valid label key ${keyProblem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  ["dns1123LabelPrefix", "-", [labelProblem]],
  ["dns1123LabelPrefix", "ä-", [labelProblem]],
  ["dns1123SubdomainPrefix", "a..b-", [subdomainProblem]],
  ["dns1035LabelPrefix", "1ab-", [label1035Problem]],
  ["labelValue", "-", [valueProblem]],
  ["labelValue", "x".repeat(64), ["must be no more than 63 bytes"]],
  ["uri", "a", ['parse "a": invalid URI for request']],
  ["uuid", "x", ["does not match the UUID format"]],
  ["byte", "", ["invalid base64"]],
  ["date", "2023-02-29", ["invalid date"]],
  ["datetime", "2021-01-01", ["invalid datetime"]],
])("the %s %j is rejected with the message of Kubernetes", (format, text, expected) => {
  expect(problems(format, text)).toEqual(expected);
});

test("there are thirteen formats, and each validates long hostile strings in linear time", () => {
  expect(namedFormats.size).toBe(13);
  for (const format of namedFormats.keys()) {
    for (const part of ["a", "-", ".", "a.", "a-", "/", "A", "ä", "%", "0"]) {
      expect(problems(format, `${part.repeat(50_000)}\n`).length).toBeGreaterThan(0);
      expect(problems(format, `${part.repeat(50_000)}-`)).toBeInstanceOf(Array);
    }
  }
});
