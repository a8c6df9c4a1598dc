import { isBuiltin } from "node:module";
import { importsOf } from "./source/import.ts";
import type { ModuleImport } from "./source/import.ts";
import { BUNDLED_SOURCES, PACKAGES, TEST_LIBRARIES, TESTING_EXCEPTIONS } from "./layers.ts";
import type { PackageRule } from "./layers.ts";
import { manifestAt } from "./dependency/manifest.ts";
import type { Manifest } from "./dependency/manifest.ts";
import { importTargetOf } from "./source/resolve.ts";
import type { ImportTarget } from "./source/resolve.ts";
import { isTest, packageOf, perTree, sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

type Problem = Pick<Violation, "message" | "fix">;

interface Importer {
  readonly path: string;
  readonly rule: PackageRule;
  readonly manifest: Manifest | undefined;
}

const TABLE = "tools/tidy/layers.ts";

/** Reports imports of packages that are not lower, not imported by name, or not listed in `package.json`. */
export function checkPackageDirection(tree: SourceTree): readonly Violation[] {
  const violations = [...unknownPackages(tree)];
  for (const path of sourcePaths(tree)) {
    const folder = packageOf(path);
    const rule = PACKAGES.find((candidate) => candidate.folder === folder);
    if (rule === undefined) continue;
    const importer = { path, rule, manifest: manifestAt(tree, `packages/${rule.folder}/package.json`) };
    for (const found of importsOf(tree, path)) {
      const problem = evaluate(tree, importer, found);
      if (problem !== undefined) violations.push({ file: path, line: found.line, ...problem });
    }
  }
  return violations;
}

function unknownPackages(tree: SourceTree): readonly Violation[] {
  return packageFolders(tree).flatMap((folder) => {
    const file = `packages/${folder}/package.json`;
    const rule = PACKAGES.find((candidate) => candidate.folder === folder);
    if (rule === undefined) {
      return [{ file, line: 1, message: `packages/${folder} is not in the table`, fix: `add it to ${TABLE}` }];
    }
    const name = manifestAt(tree, file)?.name;
    if (name === undefined || name === rule.name) return [];
    return [{ file, line: 1, message: `is named ${name}`, fix: `name it ${rule.name} or change ${TABLE}` }];
  });
}

const packageFolders = perTree((tree) => [...new Set([...tree.keys()].flatMap((path) => packageOf(path) ?? []))]);

function evaluate(tree: SourceTree, importer: Importer, { specifier, kind }: ModuleImport): Problem | undefined {
  if (specifier.startsWith("#") || (kind === "url" && isTest(importer.path))) return undefined;
  const target = importTargetOf(importer.path, specifier);
  if (target.kind === "path") {
    return checkPath(importer, specifier, target.path) ?? checkNodeFolder(importer, specifier, target.path);
  }
  if (kind === "url") return undefined;
  if (target.kind === "ours") return checkOurs(tree, importer, specifier, target);
  return isBuiltin(specifier) ? checkBuiltin(importer, specifier) : checkExternal(importer, specifier, target.name);
}

function checkPath({ rule }: Importer, specifier: string, path: string): Problem | undefined {
  const home = `packages/${rule.folder}/`;
  if (path.startsWith(home)) return undefined;
  const wrong = `imports ${specifier}, which is outside of ${home}`;
  return packageOf(path) === undefined
    ? { message: wrong, fix: "move shared code into a package" }
    : { message: wrong, fix: "import the other package by its name" };
}

/** Code that also runs without Node must not load code that needs it. */
function checkNodeFolder({ path, rule }: Importer, specifier: string, target: string): Problem | undefined {
  if (isTest(path) || isInNodeFolder(rule, path) || !isInNodeFolder(rule, target)) return undefined;
  const instead = "only its own entry exports it: move the shared code out of that folder";
  return { message: `imports ${specifier}, which needs Node`, fix: instead };
}

function isInNodeFolder({ folder, nodeFolders = [] }: PackageRule, path: string): boolean {
  return nodeFolders.some((each) => path.startsWith(`packages/${folder}/src/${each}/`));
}

function checkBuiltin({ path, rule }: Importer, specifier: string): Problem | undefined {
  if (rule.isomorphic && !isInNodeFolder(rule, path)) {
    const instead = "this package also runs without Node: take the dependency as an argument";
    return { message: `imports ${specifier} in ${rule.name}`, fix: instead };
  }
  if (specifier.startsWith("node:")) return undefined;
  return { message: `imports ${specifier} without the node: prefix`, fix: `import node:${specifier}` };
}

function checkOurs(
  tree: SourceTree,
  importer: Importer,
  specifier: string,
  target: Extract<ImportTarget, { kind: "ours" }>,
): Problem | undefined {
  const { path, rule } = importer;
  const entries = manifestAt(tree, `packages/${target.package.folder}/package.json`)?.entries;
  if (entries !== undefined && entries[target.entry] === undefined) {
    return { message: `imports ${specifier}, which is not a public entry`, fix: "import an entry of its exports map" };
  }
  if (isTest(path)) return checkOursInTest(importer, specifier, target.package);
  if (target.package === rule) {
    return { message: `imports its own package by name (${specifier})`, fix: "use a relative path" };
  }
  if (target.entry === "./testing" || target.entry.startsWith("./testing/")) {
    const isExcepted = TESTING_EXCEPTIONS.some(({ under, entry }) => path.startsWith(under) && entry === specifier);
    if (!isExcepted) return { message: `imports ${specifier} in production code`, fix: "import it only in tests" };
  } else if (!rule.mayImport.includes(specifier) && !rule.mayImport.includes(target.package.name)) {
    const allowed = rule.mayImport.length === 0 ? "no other package of the repository" : rule.mayImport.join(", ");
    const instead = `it may import ${allowed} (${TABLE}): invert the dependency or move the code`;
    return { message: `imports ${specifier}, which ${rule.name} must not import`, fix: instead };
  }
  return checkExternal(importer, specifier, target.package.name);
}

function checkOursInTest({ rule }: Importer, specifier: string, target: PackageRule): Problem | undefined {
  if (rule.tests === "any of ours" || target === rule) return undefined;
  const instead = "move the test into the other package or into tests/";
  return { message: `imports ${specifier} in a test of ${rule.name}`, fix: instead };
}

function checkExternal({ path, rule, manifest }: Importer, specifier: string, name: string): Problem | undefined {
  const isForTests = isTest(path);
  if (isForTests && TEST_LIBRARIES.includes(name)) return undefined;
  // Build configuration is neither in src nor in bin, and is not published.
  const isShipped = /^packages\/[^/]+\/(?:src|bin)\//.test(path) && !isForTests && !path.startsWith(BUNDLED_SOURCES);
  const listed = {
    ...manifest?.dependencies,
    ...manifest?.optionalDependencies,
    ...manifest?.peerDependencies,
    ...(isShipped ? {} : manifest?.devDependencies),
  };
  if (name in listed) return undefined;
  const file = `packages/${rule.folder}/package.json`;
  return { message: `imports ${specifier}, which ${file} does not list`, fix: "list it there, or remove the import" };
}
