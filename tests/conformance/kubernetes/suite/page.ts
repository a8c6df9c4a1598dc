import { idOf } from "./case.ts";
import type { Result } from "./run.ts";

/** Path of the page from the repository root. */
export const PAGE = "docs/reference/conformance.md";

const HEAD = `# Conformance

<!-- Written by \`npm run conformance -- kubernetes --write\`; do not edit. -->

The suite runs against the embedded server and against kube-apiserver with etcd and kube-controller-manager. Every case checks one
behaviour of kube-apiserver and names the document or source file that defines it. The embedded server fails only the cases in
[the list of exceptions](conformance-exceptions.md). A kubectl case passes if it passes with every installed kubectl of version 1.29
or later.
`;

/** Result of a case on the page. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly rule: string;
}

/** Returns the page with the results of both targets. */
export function page(
  ours: readonly Result[],
  real: readonly Result[],
  exceptions: ReadonlyMap<string, string>,
): string {
  const realById = new Map(real.map((result) => [idOf(result.case), result]));
  const groups = Map.groupBy(ours, (result) => result.case.group);
  const passed = (results: readonly Result[]): number => results.filter(({ failure }) => failure === undefined).length;
  const counts = [...groups].map(([name, results]) => {
    const reals = results.flatMap((result) => realById.get(idOf(result.case)) ?? []);
    return `| ${name} | ${results.length} | ${passed(results)} | ${passed(reals)} |`;
  });
  const sections = [...groups].map(([name, results]) => {
    const rows = results.map((result) => {
      const id = idOf(result.case);
      const { name: sentence, rule } = result.case;
      return `| ${cell(sentence)} | ${cell(rule)} | ${word(result, exceptions.has(id))} | ${word(realById.get(id), false)} |`;
    });
    return `## ${name}\n\n| case | source | embedded | kube-apiserver |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  const total = `| **total** | ${ours.length} | ${passed(ours)} | ${passed(real)} |`;
  return [
    HEAD,
    `| group | cases | embedded | kube-apiserver |\n|---|---:|---:|---:|\n${[...counts, total].join("\n")}\n`,
    ...sections,
  ].join("\n");
}

/** Returns the cases on a page as `group: name`. */
export function idsOnPage(text: string): readonly string[] {
  return text
    .split(/^## /mu)
    .slice(1)
    .flatMap((section) => {
      const group = section.slice(0, section.indexOf("\n"));
      return [...section.matchAll(/^\| (?!case \||---)(?<name>.*?) \| /gmu)].map(({ groups }) => {
        return `${group}: ${(groups?.["name"] ?? "").replaceAll("\\|", "|")}`;
      });
    });
}

function word(result: Result | undefined, isException: boolean): string {
  if (result === undefined) return "not run";
  if (result.failure === undefined) return "passes";
  return isException ? "[exception](conformance-exceptions.md)" : "**fails**";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
