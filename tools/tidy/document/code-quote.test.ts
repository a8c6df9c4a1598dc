import { expect, test } from "vitest";
import { reported } from "../fixture.ts";
import { checkCodeQuotes } from "./code-quote.ts";

const SOURCE = `import { a } from "a";

const b = a({
  name: "b",
  do: () => {
    return 1;
  },
});

const c = a({
  name: "c",
});
`;

function wrong(block: string): readonly string[] {
  const text = `# Title\n\n\`\`\`ts file=examples/a.ts\n${block}\n\`\`\`\nmore\n`;
  return reported(checkCodeQuotes, { "docs/guide/a.md": text, "examples/a.ts": SOURCE });
}

test("consecutive lines of the file are a valid quote, even with less indentation", () => {
  expect(wrong(SOURCE)).toEqual([]);
  expect(wrong('const c = a({\n  name: "c",\n});')).toEqual([]);
  expect(wrong("do: () => {\n  return 1;\n},")).toEqual([]);
});

test("lines may be omitted at an ellipsis", () => {
  expect(wrong('import { a } from "a";\n…\nconst b = a({\n  // …\n});\n\nconst c = a({')).toEqual([]);
});

test("a changed line, a missing one and a wrong order are reported with the line", () => {
  const lacking = (line: string): readonly string[] => [
    `docs/guide/a.md:3 quotes examples/a.ts, which does not have ${JSON.stringify(line)} there`,
  ];
  expect(wrong('const c = a({\n  name: "d",\n});')).toEqual(lacking('  name: "d",'));
  expect(wrong('const b = a({\n  name: "b",\n});')).toEqual(lacking("});"));
  expect(wrong("const c = a({\n…\nconst b = a({")).toEqual(lacking("const b = a({"));
  expect(wrong(`${SOURCE}…\nconst d = 1;`)).toEqual(lacking("const d = 1;"));
  expect(wrong("  const c = a({")).toEqual(lacking("  const c = a({"));
  expect(wrong('const c = a({\nname: "c",')).toEqual(lacking('name: "c",'));
});

test("a missing file is reported", () => {
  expect(reported(checkCodeQuotes, { "docs/a.md": "```ts file=gone.ts\nx\n```\n" })).toEqual([
    "docs/a.md:1 quotes gone.ts, which does not have it there",
  ]);
});

test("all TypeScript in the guide must be quoted; other documents and languages are exempt", () => {
  const text = "# Title\n\n```ts\nx\n```\n\n```sh\ny\n```\n";
  const files = { "README.md": text, "docs/guide/a.md": text, "docs/adr/a.md": text };
  expect(reported(checkCodeQuotes, files)).toEqual([
    "README.md:3 shows code that is not quoted from a file",
    "docs/guide/a.md:3 shows code that is not quoted from a file",
  ]);
});

test("a block with save= is checked as a quote too", () => {
  const tree = { "docs/a.md": "```ts file=a.ts save=src/a.ts\nx\n```\n", "a.ts": "y\n" };
  expect(reported(checkCodeQuotes, tree)).toEqual(['docs/a.md:1 quotes a.ts, which does not have "x" there']);
});
