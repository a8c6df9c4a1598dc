import { manifestAt } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { perTree, textOf } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

const EXACT = /^(?:npm:(?:@[^@/]+\/)?[^@/]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/**
 * Every dependency that gets installed has one exact version, ours the version in this tree. Peer dependencies are not
 * installed by us and may be ranges.
 */
export function checkPins(tree: Tree): readonly Violation[] {
  return manifestPaths(tree).flatMap((file) => {
    const manifest = manifestAt(tree, file);
    if (manifest === undefined) return [{ file, line: 1, wrong: "is no JSON object", instead: "correct its syntax" }];
    return installed(manifest).flatMap(([name, version]) => {
      const finding = judge(tree, name, version);
      return finding === undefined ? [] : [{ file, line: lineOf(textOf(tree, file), name, version), ...finding }];
    });
  });
}

function installed({ dependencies, devDependencies, optionalDependencies }: Manifest): readonly [string, string][] {
  return [dependencies, devDependencies, optionalDependencies].flatMap((list) => Object.entries(list));
}

function judge(tree: Tree, name: string, version: string): Pick<Violation, "wrong" | "instead"> | undefined {
  const ours = workspaceVersions(tree).get(name);
  const wrong = `depends on ${name} at ${JSON.stringify(version)}`;
  if (ours !== undefined) return version === ours ? undefined : { wrong, instead: `write its version here, ${ours}` };
  return EXACT.test(version) ? undefined : { wrong, instead: "write the exact version that the lockfile has" };
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
