import { isBuiltin } from "node:module";
import { importsOf } from "./import.ts";
import type { ModuleImport } from "./import.ts";
import { BUILT_WHOLE, PACKAGES, TEST_LIBRARIES, TESTING_EXCEPTIONS } from "./layers.ts";
import type { PackageRule } from "./layers.ts";
import { manifestAt } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { targetOf } from "./resolve.ts";
import type { Target } from "./resolve.ts";
import { isTest, packageOf, perTree, sourcePaths } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

type Finding = Pick<Violation, "wrong" | "instead">;

interface Importer {
  readonly path: string;
  readonly rule: PackageRule;
  readonly manifest: Manifest | undefined;
}

const TABLE = "tools/tidy/layers.ts";

/** Packages import only packages below them, by name, and only what their own `package.json` lists. */
export function checkDirection(tree: Tree): readonly Violation[] {
  const violations = [...unknownPackages(tree)];
  for (const path of sourcePaths(tree)) {
    const folder = packageOf(path);
    const rule = PACKAGES.find((candidate) => candidate.folder === folder);
    if (rule === undefined) continue;
    const importer = { path, rule, manifest: manifestAt(tree, `packages/${rule.folder}/package.json`) };
    for (const found of importsOf(tree, path)) {
      const finding = judge(tree, importer, found);
      if (finding !== undefined) violations.push({ file: path, line: found.line, ...finding });
    }
  }
  return violations;
}

function unknownPackages(tree: Tree): readonly Violation[] {
  return packageFolders(tree).flatMap((folder) => {
    const file = `packages/${folder}/package.json`;
    const rule = PACKAGES.find((candidate) => candidate.folder === folder);
    if (rule === undefined) {
      return [
        { file, line: 1, wrong: `nothing says what packages/${folder} may import`, instead: `add it to ${TABLE}` },
      ];
    }
    const name = manifestAt(tree, file)?.name;
    if (name === undefined || name === rule.name) return [];
    return [{ file, line: 1, wrong: `is named ${name}`, instead: `name it ${rule.name} or change ${TABLE}` }];
  });
}

const packageFolders = perTree((tree) => [...new Set([...tree.keys()].flatMap((path) => packageOf(path) ?? []))]);

function judge(tree: Tree, importer: Importer, { specifier, kind }: ModuleImport): Finding | undefined {
  if (specifier.startsWith("#") || (kind === "url" && isTest(importer.path))) return undefined;
  const target = targetOf(importer.path, specifier);
  if (target.kind === "path") return judgePath(importer, specifier, target.path);
  if (kind === "url") return undefined;
  if (target.kind === "ours") return judgeOurs(tree, importer, specifier, target);
  return isBuiltin(specifier) ? judgeBuiltin(importer, specifier) : judgeExternal(importer, specifier, target.name);
}

function judgePath({ rule }: Importer, specifier: string, path: string): Finding | undefined {
  const home = `packages/${rule.folder}/`;
  if (path.startsWith(home)) return undefined;
  const wrong = `imports ${specifier}, which is outside of ${home}`;
  return packageOf(path) === undefined
    ? { wrong, instead: "packages stand alone: move what is shared into a package" }
    : { wrong, instead: "import the other package by its name" };
}

function judgeBuiltin({ rule }: Importer, specifier: string): Finding | undefined {
  if (rule.isomorphic) {
    const instead = "this package runs outside of Node too: take what is needed as an argument";
    return { wrong: `imports ${specifier} in ${rule.name}`, instead };
  }
  if (specifier.startsWith("node:")) return undefined;
  return { wrong: `imports ${specifier} without the node: prefix`, instead: `import node:${specifier}` };
}

function judgeOurs(
  tree: Tree,
  importer: Importer,
  specifier: string,
  target: Extract<Target, { kind: "ours" }>,
): Finding | undefined {
  const { path, rule } = importer;
  const entries = manifestAt(tree, `packages/${target.package.folder}/package.json`)?.entries;
  if (entries !== undefined && entries[target.entry] === undefined) {
    return { wrong: `imports ${specifier}, which is no public entry`, instead: "import an entry of its exports map" };
  }
  if (isTest(path)) return judgeOursInTest(importer, specifier, target.package);
  if (target.package === rule) {
    return { wrong: `imports its own package by name (${specifier})`, instead: "use a relative path" };
  }
  if (target.entry === "./testing" || target.entry.startsWith("./testing/")) {
    const isExcepted = TESTING_EXCEPTIONS.some(({ under, entry }) => path.startsWith(under) && entry === specifier);
    if (!isExcepted) return { wrong: `imports ${specifier} in code that is no test`, instead: "keep it to tests" };
  } else if (!rule.mayImport.includes(specifier) && !rule.mayImport.includes(target.package.name)) {
    const allowed = rule.mayImport.length === 0 ? "none of ours" : rule.mayImport.join(", ");
    const instead = `it may import ${allowed} (${TABLE}): turn the dependency around or move the code`;
    return { wrong: `imports ${specifier}, which ${rule.name} must not know`, instead };
  }
  return judgeExternal(importer, specifier, target.package.name);
}

function judgeOursInTest({ rule }: Importer, specifier: string, target: PackageRule): Finding | undefined {
  if (rule.tests === "any of ours" || target === rule) return undefined;
  const instead = "move the test into the other package or into tests/";
  return { wrong: `imports ${specifier} in a test of ${rule.name}`, instead };
}

function judgeExternal({ path, rule, manifest }: Importer, specifier: string, name: string): Finding | undefined {
  const isForTests = isTest(path);
  if (isForTests && TEST_LIBRARIES.includes(name)) return undefined;
  // Build configuration, which is neither in src nor in bin, is not part of what users install.
  const isShipped = /^packages\/[^/]+\/(?:src|bin)\//.test(path) && !isForTests && !path.startsWith(BUILT_WHOLE);
  const listed = {
    ...manifest?.dependencies,
    ...manifest?.optionalDependencies,
    ...manifest?.peerDependencies,
    ...(isShipped ? {} : manifest?.devDependencies),
  };
  if (name in listed) return undefined;
  const file = `packages/${rule.folder}/package.json`;
  return { wrong: `imports ${specifier}, which ${file} does not list`, instead: "list it there, or do without it" };
}
