import { expect, test } from "vitest";
import { blocksOf } from "./block.ts";

const DOCUMENT = `# A page

\`\`\`console terminal=dev
$ npm run dev
levelset: …

$ echo a \\
  b
a b
^C
\`\`\`

\`\`\`yaml save=sample.yaml
kind: Simple
\`\`\`

\`\`\`ts file=examples/a.ts
const quoted = 1;
\`\`\`

\`\`\`sh
# a remark
npx levelset why simple/a     # explains
\`\`\`

\`\`\`sh elsewhere
docker build .
\`\`\`

\`\`\`console eventually exit=3
and then
\`\`\`
`;

test("a document contains commands, expected output and files", () => {
  expect(blocksOf(DOCUMENT)).toEqual([
    {
      kind: "console",
      line: 3,
      terminal: "dev",
      eventually: false,
      exit: 0,
      entries: [
        { line: 4, action: { kind: "command", text: "npm run dev" }, expectedLines: ["levelset: …", ""] },
        { line: 7, action: { kind: "command", text: "echo a \\\n  b" }, expectedLines: ["a b"] },
        { line: 10, action: { kind: "interrupt" }, expectedLines: [] },
      ],
    },
    { kind: "file", line: 13, path: "sample.yaml", text: "kind: Simple\n", append: false },
    {
      kind: "console",
      line: 21,
      terminal: undefined,
      eventually: false,
      exit: 0,
      entries: [
        {
          line: 23,
          action: { kind: "command", text: "npx levelset why simple/a     # explains" },
          expectedLines: ["…"],
        },
      ],
    },
    {
      kind: "console",
      line: 30,
      terminal: undefined,
      eventually: true,
      exit: 3,
      entries: [{ line: 31, action: { kind: "read" }, expectedLines: ["and then"] }],
    },
  ]);
});
