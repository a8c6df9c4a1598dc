import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A third-party package. */
interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** The text of its licence, which must be distributed with its code. */
  readonly text: string;
}

/** Returns the third-party packages of these modules, sorted by name. Throws if a licence text is missing. */
export function bundledPackages(modules: readonly string[]): readonly Bundled[] {
  const roots = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []);
  const bundled = [...new Set(roots)].map((root): Bundled => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly name: string;
      readonly version: string;
      readonly license: string;
    };
    const file = readdirSync(root).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no file with its licence, so it must not be distributed`);
    return { name, version, licence: license, text: readFileSync(join(root, file), "utf8").trim() };
  });
  return bundled.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** All licences as one text. */
export function licencesText(bundled: readonly Bundled[]): string {
  const parts = bundled.map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`);
  return `These packages are part of main.js.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
