import { describe, expect, test } from "vitest";
import { checkDocumentLinks } from "./document-links.ts";
import { reported } from "../fixture.ts";

const FILES = {
  "package.json": JSON.stringify({ scripts: { check: "", "test:full": "" } }),
  "packages/core/src/index.ts": "",
  "docs/guide/start.md": "# The *start*, again\n## `x` and y\n## x and y\n```\n# no heading\n```\n",
  "tools/tidy/layers.ts": "",
};

function wrong(text: string, file: string = "README.md"): readonly string[] {
  return reported(checkDocumentLinks, { ...FILES, [file]: text }).map((line) => line.slice(file.length + 1));
}

describe("paths in backticks", () => {
  test("exist, as files or folders", () => {
    expect(
      wrong("`packages/core/src/index.ts`, `tools/tidy/`, `docs/guide`, and `node tools/tidy/layers.ts --x`."),
    ).toEqual([]);
    expect(wrong("`tools/tidy/layers.ts:12`, (`./docs/guide/start.md#top`)")).toEqual([]);
  });

  test("are reported when they do not", () => {
    expect(
      wrong("See\n`packages/core/src/gone.ts` and `node tests/e2e/main.ts --x`,\n``bench/``, `SECURITY.md`."),
    ).toEqual([
      "2 names packages/core/src/gone.ts, which does not exist",
      "2 names tests/e2e/main.ts, which does not exist",
      "3 names bench/, which does not exist",
      "3 names SECURITY.md, which does not exist",
    ]);
  });

  test("with placeholders or outside of what git tracks are ignored", () => {
    expect(wrong("`packages/*/src`, `docs/…`, `tools/<name>/main.ts`, `tests/NAME.ts`, `packages/{a,b}`")).toEqual([]);
    expect(wrong("`packages/core/dist/index.js`, `examples/01/.levelset/data`, `packages/x/node_modules/y`")).toEqual(
      [],
    );
  });

  test("are distinguished from other words with slashes, from prose and from code blocks", () => {
    expect(wrong("`@levelset/core`, `apps/v1`, `application/json`, `gone.ts`, packages/gone\n")).toEqual([]);
    expect(wrong("```sh\n`packages/gone`\n```\n~~~~\n`tools/gone`\n~~~\n~~~~\nend")).toEqual([]);
  });

  test("may be relative to the document", () => {
    expect(wrong("`tools/tidy/a.ts`", "examples/README.md")).toHaveLength(1);
    const files = { ...FILES, "examples/tools/tidy/a.ts": "", "examples/README.md": "`tools/tidy/a.ts`" };
    expect(reported(checkDocumentLinks, files)).toEqual([]);
  });
});

describe("links", () => {
  test("lead somewhere", () => {
    expect(wrong("[a](docs/guide/start.md) ![b](./tools/tidy) [e](https://f.example/g) [h](/docs/guide)")).toEqual([]);
    expect(wrong("[a](../../README.md)\n\n[b]: ../guide/start.md", "docs/guide/other.md")).toEqual([
      "1 names README.md, which does not exist",
    ]);
  });

  test("are reported when they do not", () => {
    expect(wrong('[`x`](gone.md)\n[a](docs/gone.md "Gone")\n[b]: <docs/gone>\n')).toEqual([
      "1 names gone.md, which does not exist",
      "2 names docs/gone.md, which does not exist",
      "3 names docs/gone, which does not exist",
    ]);
  });

  test("name existing headings, also in the same document", () => {
    const good = "[a](docs/guide/start.md#the-start-again) [b](docs/guide/start.md#x-and-y-1) [c](#here)";
    expect(wrong(`${good}\n# Here\n`)).toEqual([]);
    expect(wrong("[a](docs/guide/start.md#no-heading)\n[b](#gone)\n[c](tools/tidy/layers.ts#L12)\n")).toEqual([
      "1 links to #no-heading, which is not a heading of docs/guide/start.md",
      "2 links to #gone, which is not a heading of README.md",
    ]);
  });

  test("in code are ignored", () => {
    expect(wrong("`[a](gone.md)`\n```\n[a](gone.md)\n```\n")).toEqual([]);
  });
});

describe("npm scripts", () => {
  test("exist", () => {
    expect(wrong("`npm run check`, npm run test:full.\n```sh\nnpm run check -- --x\n```\n")).toEqual([]);
    expect(wrong("`npm run NAME`, `npm run <name>`, `npm run test:…`, `npm run gone -w packages/core`")).toEqual([]);
  });

  test("are reported when they do not, in blocks of code too", () => {
    expect(wrong("```sh\nnpm run gone\n```\n")).toEqual(["2 names npm run gone, which package.json does not have"]);
  });
});

test("documents are those at the root, docs, and readmes of packages, tools, examples and benchmarks", () => {
  const dead = "`docs/gone`";
  for (const file of [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "docs/adr/1.md",
    "packages/core/README.md",
    "packages/cli/template/README.md",
    "bench/x/README.md",
    "tools/x/README.md",
    "examples/README.md",
  ]) {
    expect(wrong(dead, file)).toHaveLength(1);
  }
  for (const file of ["packages/core/src/notes.md", "tests/README.txt", "tools/x/other.md"]) {
    expect(wrong(dead, file)).toEqual([]);
  }
});
