import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RESERVED_KINDS, RESERVED_PACKAGE_NAMES } from "./project-names.ts";
import { readTemplate } from "./template.ts";

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const template = await readTemplate();
const textOf = (path: string): string => template.find((file) => file.path === path)?.text ?? "";
const manifest = JSON.parse(textOf("package.json")) as Dependencies;

test("a project gets the tool versions that its template was tested with", () => {
  const ours = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  const { devDependencies } = JSON.parse(ours) as Dependencies;
  const { typescript, vitest, "@types/node": node } = devDependencies;
  expect(manifest.devDependencies).toMatchObject({ typescript, vitest, "@types/node": node });
});

test("the reserved names are those that the template uses", () => {
  const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(RESERVED_PACKAGE_NAMES).toEqual(packages.filter((name) => !name.startsWith("@")).toSorted());
  const code = template.filter(({ path }) => path.endsWith(".ts")).map(({ text }) => text);
  const imported = code
    .flatMap((text) => [...text.matchAll(/^import .*\{(.*)\}/gmu)])
    .flatMap(([, names = ""]) => {
      return [...names.matchAll(/\b[A-Z]\w*/gu)].map(([name]) => name);
    });
  expect([...new Set(imported)].filter((name) => name !== "Widget")).toEqual(RESERVED_KINDS);
});
