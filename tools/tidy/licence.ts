import { textOf } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Licences that ask for no more than to be named. */
const PERMITTED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
]);

/** Tools whose licence asks for more of those who pass them on: they are run here, and no package of ours depends on them. */
const RUN_HERE_ONLY: readonly { readonly package: RegExp; readonly licence: string }[] = [
  { package: /^axe-core$/, licence: "MPL-2.0" },
  { package: /^lightningcss(?:-[\w-]+)?$/, licence: "MPL-2.0" },
];

/** What we read of a package in a lockfile. */
interface Locked {
  readonly license?: string;
  readonly link?: boolean;
}

/** Every package that a lockfile installs has a licence that we may use it under. */
export function checkLicences(tree: Tree): readonly Violation[] {
  return [...tree.keys()]
    .filter((path) => /(?:^|\/)package-lock\.json$/.test(path))
    .flatMap((file) => {
      // npm wrote it; where it is no JSON, npm itself refuses it.
      const { packages = {} } = JSON.parse(textOf(tree, file)) as { packages?: Record<string, Locked> };
      return Object.entries(packages).flatMap(([path, locked]) => judge(tree, file, path, locked));
    });
}

function judge(tree: Tree, file: string, path: string, { license = "", link }: Locked): readonly Violation[] {
  const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
  if (name === undefined || link === true || isPermitted(license)) return [];
  if (RUN_HERE_ONLY.some((tool) => tool.package.test(name) && tool.licence === license)) return [];
  const line =
    textOf(tree, file)
      .split("\n")
      .findIndex((text) => text.includes(`"${path}"`)) + 1;
  const wrong = `installs ${name}, whose licence is ${license === "" ? "not told" : license}`;
  return [
    { file, line, wrong, instead: "do without it, or add its licence to tools/tidy/licence.ts, with the reason" },
  ];
}

/** Whether an expression of SPDX names enough that we may use. */
function isPermitted(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, "");
  return plain.split(" OR ").some((choice) => choice.split(" AND ").every((licence) => PERMITTED.has(licence.trim())));
}
