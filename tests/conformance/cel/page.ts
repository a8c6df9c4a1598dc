import type { Case } from "./case.ts";
import type { Failure, SuiteResult } from "./suite.ts";

/** Where the page is, from the root of the repository. */
export const PAGE = "docs/reference/cel-conformance.md";

const HEAD = `# CEL conformance

<!-- Written by \`npm run conformance -- cel\`; do not edit. -->

The suite is that of [google/cel-spec](https://github.com/google/cel-spec), as packaged in \`@bufbuild/cel-spec\`. Every case runs on its
own environment with the extensions of CEL: checked unless the case says otherwise, its result compared with type and
value. Every case must compile. One that expects an error passes with any error of its evaluation, whatever the words.

The product has no protobuf messages. Cases that involve them run through a type provider that exists for this suite only,
over \`@bufbuild/protobuf\` (\`tests/conformance/cel\`), which shows that the extension point suffices. The sections
\`enums/strong_…\` and \`enums/legacy_…\` contradict each other by design; the provider has both modes, and each section runs with
its own. \`cel.block\`, \`cel.index\` and \`proto.getExt\` are macros of the suite's environment, not of ours.
`;

/** The page that says what passes and what does not. */
export function page({ cases, total, passed, pureTotal, purePassed, failures }: SuiteResult): string {
  return [
    HEAD,
    `| | cases | passed |\n|---|---:|---:|\n| without protobuf | ${pureTotal} | ${purePassed} |\n| in total | ${total} | ${passed} |\n`,
    "## By file\n",
    table(cases, failures),
    "## What does not pass\n",
    failures.length === 0 ? "Nothing.\n" : list(failures),
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
