import { expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { checkQuotes } from "./quote.ts";

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
  return reported(checkQuotes, { "docs/guide/a.md": text, "examples/a.ts": SOURCE });
}

test("lines that are in the file one after the other are a quote, with less indentation too", () => {
  expect(wrong(SOURCE)).toEqual([]);
  expect(wrong('const c = a({\n  name: "c",\n});')).toEqual([]);
  expect(wrong("do: () => {\n  return 1;\n},")).toEqual([]);
});

test("lines may be left out where the quote says so", () => {
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

test("a file that is not there is reported", () => {
  expect(reported(checkQuotes, { "docs/a.md": "```ts file=gone.ts\nx\n```\n" })).toEqual([
    "docs/a.md:1 quotes gone.ts, which does not have it there",
  ]);
});

test("in the guide all TypeScript is quoted; elsewhere, and in other languages, it need not be", () => {
  const text = "# Title\n\n```ts\nx\n```\n\n```sh\ny\n```\n";
  const files = { "README.md": text, "docs/guide/a.md": text, "docs/adr/a.md": text };
  expect(reported(checkQuotes, files)).toEqual([
    "README.md:3 shows code that is in no file",
    "docs/guide/a.md:3 shows code that is in no file",
  ]);
});

test("a block that a reader saves is a quote all the same", () => {
  const tree = { "docs/a.md": "```ts file=a.ts save=src/a.ts\nx\n```\n", "a.ts": "y\n" };
  expect(reported(checkQuotes, tree)).toEqual(['docs/a.md:1 quotes a.ts, which does not have "x" there']);
});
