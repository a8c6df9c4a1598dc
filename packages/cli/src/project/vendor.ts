import { isJsonObject } from "@levelset/core";
import type { ProjectData, ProjectFile } from "./template.ts";
import type { PackedPackage } from "./checkout.ts";

/** Directory of the vendored packages in a project. */
const DIRECTORY = "vendor";

/** Packages of a clone for a project. */
export interface VendoredPackages {
  readonly packages: readonly PackedPackage[];
  /** Packages that contain Node, with their versions; empty if the installed Node is recent enough. */
  readonly nodes: Readonly<Record<string, string>>;
}

/** Returns a project that installs the levelset packages from files, and Node if the installed one is too old. */
export function vendorProject(
  files: readonly ProjectFile[],
  { packages, nodes }: VendoredPackages,
): readonly (ProjectFile | ProjectData)[] {
  const hasNode = Object.keys(nodes).length > 0;
  return [
    // npm warns about its own Node version for each package, but another Node runs them.
    ...(hasNode ? [{ path: ".npmrc", text: "loglevel=error\n" }] : []),
    ...files.map((file) => (file.path === "package.json" ? withVendored(file, { packages, nodes }) : file)),
    ...packages.map(({ file, bytes }) => ({ path: `${DIRECTORY}/${file}`, bytes })),
  ];
}

function withVendored({ path, text }: ProjectFile, { packages, nodes }: VendoredPackages): ProjectFile {
  const { dependencies, devDependencies, ...manifest } = objectIn(text);
  const paths = packages.map(({ name, file }) => [name, `file:${DIRECTORY}/${file}`] as const);
  const dev = isJsonObject(devDependencies) ? devDependencies : {};
  // The packages depend on each other. All must be direct dependencies, because npm would look them up in a registry.
  const [forTests, others] = [paths.filter(([name]) => name in dev), paths.filter(([name]) => !(name in dev))];
  const changed = {
    ...manifest,
    dependencies: { ...(isJsonObject(dependencies) ? dependencies : {}), ...Object.fromEntries(others) },
    devDependencies: { ...dev, ...Object.fromEntries(forTests) },
    ...(Object.keys(nodes).length === 0 ? {} : { optionalDependencies: nodes }),
  };
  return { path, text: `${JSON.stringify(changed, undefined, 2)}\n` };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text);
  if (!isJsonObject(parsed)) throw new Error("package.json of the template is not an object");
  return parsed;
}

/** Reports whether the Node version in npm's user agent (`npm/11.0.0 node/v20.0.0 …`) is too old. */
export function isOldNode(userAgent: string | undefined): boolean {
  const [, major, minor] = /\bnode\/v(\d+)\.(\d+)/u.exec(userAgent ?? "") ?? [];
  if (major === undefined) return false;
  return Number(major) < 22 || (Number(major) === 22 && Number(minor) < 19);
}
