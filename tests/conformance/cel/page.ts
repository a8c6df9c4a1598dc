import type { Case } from "./case.ts";
import type { Failure, SuiteResult } from "./suite.ts";

/** Path of the page from the repository root. */
export const PAGE = "docs/reference/cel-conformance.md";

const HEAD = `# CEL conformance

<!-- Written by \`npm run conformance -- cel\`; do not edit. -->

Results of the conformance suite of [google/cel-spec](https://github.com/google/cel-spec), as packaged in \`@bufbuild/cel-spec\`. Every
case runs in its own environment with the CEL extensions. Expressions are type-checked unless the case disables it, and results are
compared by type and value. Every case must compile. A case that expects an error passes with any evaluation error, regardless of its
message.

levelset itself uses no protobuf messages in CEL. Cases that need them run with a type provider on \`@bufbuild/protobuf\` that only this
suite uses (\`tests/conformance/cel\`). It shows that the extension point is sufficient. The sections \`enums/strong_…\` and
\`enums/legacy_…\` require opposite behaviour; the provider supports both, and each section runs in its own mode. The macros
\`cel.block\`, \`cel.index\` and \`proto.getExt\` are defined for this suite only.
`;

/** Returns the page with the results. */
export function page({ cases, total, passed, pureTotal, purePassed, failures }: SuiteResult): string {
  return [
    HEAD,
    `| | cases | passed |\n|---|---:|---:|\n| without protobuf | ${pureTotal} | ${purePassed} |\n| total | ${total} | ${passed} |\n`,
    "## By file\n",
    table(cases, failures),
    "## Failures\n",
    failures.length === 0 ? "None.\n" : list(failures),
  ].join("\n");
}

function fileOf({ section }: Case): string {
  return section.split("/")[0] ?? "";
}

function table(cases: readonly Case[], failures: readonly Failure[]): string {
  const files = [...new Set(cases.map(fileOf))];
  const rows = files.map((file) => {
    const count = cases.filter((each) => fileOf(each) === file).length;
    const failed = failures.filter((failure) => fileOf(failure.case) === file).length;
    return `| ${file} | ${count} | ${count - failed} |`;
  });
  return `| file | cases | passed |\n|---|---:|---:|\n${rows.join("\n")}\n`;
}

function list(failures: readonly Failure[]): string {
  return `${failures.map(({ case: { id }, reason }) => `- \`${id}\`: ${reason}`).join("\n")}\n`;
}
