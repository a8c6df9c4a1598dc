import { manifestAt } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { perTree, textOf } from "../tree.ts";
import type { SourceTree } from "../tree.ts";
import type { Violation } from "../violation.ts";

const EXACT = /^(?:npm:(?:@[^@/]+\/)?[^@/]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/**
 * Reports installed dependencies without an exact version; packages of the repository must have the version of this
 * tree. Peer dependencies are not installed here and may be ranges.
 */
export function checkPins(tree: SourceTree): readonly Violation[] {
  return manifestPaths(tree).flatMap((file) => {
    const manifest = manifestAt(tree, file);
    if (manifest === undefined) return [{ file, line: 1, message: "is not a JSON object", fix: "correct its syntax" }];
    return installed(manifest).flatMap(([name, version]) => {
      const problem = evaluate(tree, name, version);
      return problem === undefined ? [] : [{ file, line: lineOf(textOf(tree, file), name, version), ...problem }];
    });
  });
}

function installed({ dependencies, devDependencies, optionalDependencies }: Manifest): readonly [string, string][] {
  return [dependencies, devDependencies, optionalDependencies].flatMap((list) => Object.entries(list));
}

function evaluate(tree: SourceTree, name: string, version: string): Pick<Violation, "message" | "fix"> | undefined {
  const ours = workspaceVersions(tree).get(name);
  const wrong = `depends on ${name} at ${JSON.stringify(version)}`;
  if (ours !== undefined)
    return version === ours ? undefined : { message: wrong, fix: `write its version here, ${ours}` };
  return EXACT.test(version) ? undefined : { message: wrong, fix: "use the exact version of the lockfile" };
}

const manifestPaths = perTree((tree) => [...tree.keys()].filter((path) => /(?:^|\/)package\.json$/.test(path)));

const workspaceVersions = perTree((tree) => {
  const ours = manifestPaths(tree).filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
  return new Map(ours.flatMap((path) => manifestAt(tree, path) ?? []).map(({ name, version }) => [name, version]));
});

function lineOf(text: string, name: string, version: string): number {
  const parts = [JSON.stringify(name), JSON.stringify(version)];
  return text.split("\n").findIndex((line) => parts.every((part) => line.includes(part))) + 1 || 1;
}
