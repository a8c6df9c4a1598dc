import { textOf } from "../tree.ts";
import type { SourceTree } from "../tree.ts";
import type { Violation } from "../violation.ts";

/** Permissive licences. */
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

/** Development tools with licences that restrict distribution. No published package depends on them. */
const RUN_HERE_ONLY: readonly { readonly package: RegExp; readonly licence: string }[] = [
  { package: /^axe-core$/, licence: "MPL-2.0" },
  { package: /^lightningcss(?:-[\w-]+)?$/, licence: "MPL-2.0" },
];

/** The fields of a package in a lockfile that are used here. */
interface Locked {
  readonly license?: string;
  readonly link?: boolean;
}

/** Reports packages in a lockfile whose licence is not permitted. */
export function checkLicences(tree: SourceTree): readonly Violation[] {
  return [...tree.keys()]
    .filter((path) => /(?:^|\/)package-lock\.json$/.test(path))
    .flatMap((file) => {
      // Written by npm, which rejects an invalid lockfile itself.
      const { packages = {} } = JSON.parse(textOf(tree, file)) as { packages?: Record<string, Locked> };
      return Object.entries(packages).flatMap(([path, locked]) => evaluate(tree, file, path, locked));
    });
}

function evaluate(tree: SourceTree, file: string, path: string, { license = "", link }: Locked): readonly Violation[] {
  const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
  if (name === undefined || link === true || isPermitted(license)) return [];
  if (RUN_HERE_ONLY.some((tool) => tool.package.test(name) && tool.licence === license)) return [];
  const line =
    textOf(tree, file)
      .split("\n")
      .findIndex((text) => text.includes(`"${path}"`)) + 1;
  const wrong = `installs ${name}, whose licence is ${license === "" ? "missing" : license}`;
  return [
    {
      file,
      line,
      message: wrong,
      fix: "remove it, or add its licence to tools/tidy/dependency/licence.ts with the reason",
    },
  ];
}

/** Returns whether an SPDX expression permits use. */
function isPermitted(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, "");
  return plain.split(" OR ").some((choice) => choice.split(" AND ").every((licence) => PERMITTED.has(licence.trim())));
}
