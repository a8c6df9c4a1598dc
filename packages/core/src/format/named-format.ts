import { dns1035LabelProblems, dns1123LabelProblems, dns1123SubdomainProblems, maskTrailingDash } from "./dns-name.ts";
import { labelValueProblems, qualifiedNameProblems } from "./label-name.ts";
import { requestUriProblem } from "./request-uri.ts";
import { schemaFormats } from "./schema-format.ts";

/** A format of CEL's `format.named(…)` and the `format.*` functions. */
export interface NamedFormat {
  /** The identity of the format, which differs from its lookup name. */
  readonly name: string;
  /** Returns the problems with the text, with the messages of Kubernetes; empty if it is valid. */
  readonly validate: (text: string) => readonly string[];
  /**
   * The regex size that Kubernetes uses to estimate the cost of `validate` (`MaxRegexSize` in
   * k8s.io/apiserver/pkg/cel/format.go).
   */
  readonly patternSize: number;
}

/** The named formats by lookup name. */
export const namedFormats: ReadonlyMap<string, NamedFormat> = new Map<string, NamedFormat>([
  ["dns1123Label", { name: "DNS1123Label", validate: dns1123LabelProblems, patternSize: 30 }],
  ["dns1123Subdomain", { name: "DNS1123Subdomain", validate: subdomainProblems, patternSize: 60 }],
  ["dns1035Label", { name: "DNS1035Label", validate: dns1035LabelProblems, patternSize: 30 }],
  ["qualifiedName", { name: "QualifiedName", validate: qualifiedNameProblems, patternSize: 60 }],
  ["dns1123LabelPrefix", { name: "DNS1123LabelPrefix", validate: ofPrefix(dns1123LabelProblems), patternSize: 30 }],
  [
    "dns1123SubdomainPrefix",
    { name: "DNS1123SubdomainPrefix", validate: ofPrefix(subdomainProblems), patternSize: 60 },
  ],
  ["dns1035LabelPrefix", { name: "DNS1035LabelPrefix", validate: ofPrefix(dns1035LabelProblems), patternSize: 30 }],
  ["labelValue", { name: "LabelValue", validate: labelValueProblems, patternSize: 40 }],
  ["uri", { name: "URI", validate: uriProblems, patternSize: 1_103 }],
  ["uuid", { name: "uuid", validate: ofSchema("uuid", "does not match the UUID format"), patternSize: 70 }],
  ["byte", { name: "byte", validate: ofSchema("byte", "invalid base64"), patternSize: 84 }],
  ["date", { name: "date", validate: ofSchema("date", "invalid date"), patternSize: 71 }],
  ["datetime", { name: "datetime", validate: ofSchema("datetime", "invalid datetime"), patternSize: 71 }],
]);

function subdomainProblems(text: string): readonly string[] {
  return dns1123SubdomainProblems(text, "characters");
}

function ofPrefix(validate: NamedFormat["validate"]): NamedFormat["validate"] {
  return (text) => validate(maskTrailingDash(text));
}

function uriProblems(text: string): readonly string[] {
  const problem = requestUriProblem(text);
  return problem === undefined ? [] : [`parse ${JSON.stringify(text)}: ${problem}`];
}

function ofSchema(format: string, problem: string): NamedFormat["validate"] {
  return (text) => (schemaFormats.get(format)?.(text) === true ? [] : [problem]);
}
