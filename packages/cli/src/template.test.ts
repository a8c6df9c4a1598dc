import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TAKEN_KINDS, TAKEN_NAMES } from "./init/names.ts";
import { readTemplate } from "./template.ts";

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const template = await readTemplate();
const textOf = (path: string): string => template.find((file) => file.path === path)?.text ?? "";
const manifest = JSON.parse(textOf("package.json")) as Dependencies;

test("a project gets the tools that its template was tested with", () => {
  const ours = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { devDependencies } = JSON.parse(ours) as Dependencies;
  const { typescript, vitest, "@types/node": node } = devDependencies;
  expect(manifest.devDependencies).toMatchObject({ typescript, vitest, "@types/node": node });
});

test("names that a project cannot take are all those that the template needs itself", () => {
  const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(TAKEN_NAMES).toEqual(packages.filter((name) => !name.startsWith("@")).toSorted());
  const code = template.filter(({ path }) => path.endsWith(".ts")).map(({ text }) => text);
  const imported = code
    .flatMap((text) => [...text.matchAll(/^import .*\{(.*)\}/gmu)])
    .flatMap(([, names = ""]) => {
      return [...names.matchAll(/\b[A-Z]\w*/gu)].map(([name]) => name);
    });
  expect([...new Set(imported)].filter((name) => name !== "Widget")).toEqual(TAKEN_KINDS);
});
