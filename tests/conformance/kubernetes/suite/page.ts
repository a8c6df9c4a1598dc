import { idOf } from "./case.ts";
import type { Result } from "./run.ts";

/** Where the page is, from the root of the repository. */
export const PAGE = "docs/reference/conformance.md";

const HEAD = `# Conformance

<!-- Written by \`npm run conformance -- kubernetes --write\`; do not edit. -->

One suite, two targets: the embedded server (ours), and a real kube-apiserver with etcd and kube-controller-manager (real). Every case is
a sentence that is true of the real server, and names the document or source that says so. What ours does differently by
decision is in [the list of exceptions](conformance-exceptions.md). Cases of kubectl pass only if they pass with every version
from 1.29 on that is found on the machine.
`;

/** What the page says of a case. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly rule: string;
}

/** The page with the results of both targets. */
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
    return `## ${name}\n\n| case | rule | ours | real |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  const total = `| **in total** | ${ours.length} | ${passed(ours)} | ${passed(real)} |`;
  return [
    HEAD,
    `| group | cases | ours | real |\n|---|---:|---:|---:|\n${[...counts, total].join("\n")}\n`,
    ...sections,
  ].join("\n");
}

/** The cases that a page names, as `group: name`. */
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
