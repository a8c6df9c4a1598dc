import { dns1035LabelProblems, dns1123LabelProblems, dns1123SubdomainProblems, nameOfPrefix } from "./dns-name.ts";
import { labelValueProblems, qualifiedNameProblems } from "./label-name.ts";
import { requestUriProblem } from "./request-uri.ts";
import { schemaFormats } from "./schema-format.ts";

/** A format that CEL expressions get with `format.named(…)` or a function of its own. */
export interface NamedFormat {
  /** The name that tells formats apart. It is not the one they are found by. */
  readonly name: string;
  /** What is wrong with the text, in Kubernetes' words; none if it is valid. */
  readonly validate: (text: string) => readonly string[];
  /** The size of the expression that Kubernetes estimates the cost of `validate` with. */
  readonly patternSize: number;
}

/** The named formats by the names CEL finds them by. */
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
  return (text) => validate(nameOfPrefix(text));
}

function uriProblems(text: string): readonly string[] {
  const problem = requestUriProblem(text);
  return problem === undefined ? [] : [`parse ${JSON.stringify(text)}: ${problem}`];
}

function ofSchema(format: string, problem: string): NamedFormat["validate"] {
  return (text) => (schemaFormats.get(format)?.(text) === true ? [] : [problem]);
}
