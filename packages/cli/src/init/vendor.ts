import { isJsonObject } from "@levelset/core";
import type { ProjectData, ProjectFile } from "../template.ts";
import type { PackedPackage } from "./checkout.ts";

/** Where a project keeps packages that come from no registry. */
const DIRECTORY = "vendor";

/** What a project gets from a clone. */
export interface Vendored {
  readonly packages: readonly PackedPackage[];
  /** Packages that bring a Node, with their versions; none if the user's own will do. */
  readonly nodes: Readonly<Record<string, string>>;
}

/** A project that installs our packages from files of its own, and a Node where the machine's is too old for them. */
export function vendored(
  files: readonly ProjectFile[],
  { packages, nodes }: Vendored,
): readonly (ProjectFile | ProjectData)[] {
  const hasNode = Object.keys(nodes).length > 0;
  return [
    // npm would warn for each package that npm's own Node is too old. It is not the one that runs them.
    ...(hasNode ? [{ path: ".npmrc", text: "loglevel=error\n" }] : []),
    ...files.map((file) => (file.path === "package.json" ? withVendored(file, { packages, nodes }) : file)),
    ...packages.map(({ file, bytes }) => ({ path: `${DIRECTORY}/${file}`, bytes })),
  ];
}

function withVendored({ path, text }: ProjectFile, { packages, nodes }: Vendored): ProjectFile {
  const { dependencies, devDependencies, ...manifest } = objectIn(text);
  const paths = packages.map(({ name, file }) => [name, `file:${DIRECTORY}/${file}`] as const);
  const dev = isJsonObject(devDependencies) ? devDependencies : {};
  // Ours depend on each other: what no registry has must be named by the project, or npm asks one for it.
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

/** Whether the Node that npm runs on is too old for us, by what npm says of itself (`npm/11.0.0 node/v20.0.0 …`). */
export function isOldNode(userAgent: string | undefined): boolean {
  const [, major, minor] = /\bnode\/v(\d+)\.(\d+)/u.exec(userAgent ?? "") ?? [];
  if (major === undefined) return false;
  return Number(major) < 22 || (Number(major) === 22 && Number(minor) < 19);
}
