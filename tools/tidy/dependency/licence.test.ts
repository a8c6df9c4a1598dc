import { expect, test } from "vitest";
import { reported } from "../fixture.ts";
import { checkLicences } from "./licence.ts";

type Locked = Readonly<Record<string, { readonly license?: string; readonly link?: boolean }>>;

function wrong(packages: Locked): readonly string[] {
  return reported(checkLicences, { "package-lock.json": JSON.stringify({ packages }, undefined, 1) });
}

test("permissive licences are accepted, alone, combined, or as one of several alternatives", () => {
  expect(wrong({ "": {}, "packages/core": {}, "node_modules/@levelset/core": { link: true } })).toEqual([]);
  expect(wrong({ "node_modules/a": { license: "MIT" } })).toEqual([]);
  expect(wrong({ "node_modules/a": { license: "(Apache-2.0 AND BSD-3-Clause)" } })).toEqual([]);
  expect(wrong({ "node_modules/a": { license: "(GPL-3.0-only OR MIT)" } })).toEqual([]);
});

test("other licences, and packages without one, are reported", () => {
  expect(wrong({ "node_modules/a": { license: "GPL-3.0-only" } })).toEqual([
    "package-lock.json:3 installs a, whose licence is GPL-3.0-only",
  ]);
  expect(wrong({ "node_modules/b/node_modules/@c/d": {} })).toEqual([
    "package-lock.json:3 installs @c/d, whose licence is missing",
  ]);
  expect(wrong({ "node_modules/a": { license: "MIT AND MPL-2.0" } })).toHaveLength(1);
});

test("a listed development tool may have another licence; other packages may not", () => {
  expect(wrong({ "node_modules/lightningcss-linux-x64-gnu": { license: "MPL-2.0" } })).toEqual([]);
  expect(wrong({ "node_modules/other": { license: "MPL-2.0" } })).toHaveLength(1);
});
