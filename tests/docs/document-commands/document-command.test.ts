import { expect, test } from "vitest";
import { documentCommands } from "./document-command.ts";

const shown = (text: string): readonly string[] =>
  documentCommands(text).map(({ line, words, context }) => `${line} ${context}: ${words.join("·")}`);

test("a block shows one or several commands per line, up to a comment", () => {
  const block = [
    "```sh elsewhere",
    "levelset dev a.ts        # on an embedded server",
    "$ npx levelset get clusters -w",
    "KUBECONFIG=x npx --no levelset why 'a b' > output.txt",
    "kubectl kustomize x | levelset operand create shop -f - && npm test",
    "levelset run a.ts \\",
    "  --live",
    "npm start",
    "levelset: an embedded server",
    "```",
  ].join("\n");
  expect(shown(`text\n${block}\n`)).toEqual([
    "3 block: levelset·dev·a.ts",
    "4 block: levelset·get·clusters·-w",
    "5 block: levelset·why·a b",
    "6 block: levelset·operand·create·shop·-f·-",
    "6 block: npm·test",
    "7 block: levelset·run·a.ts·--live",
    "9 block: npm·start",
  ]);
});

test("blocks of other languages contain no commands", () => {
  expect(shown("```ts\nlevelset dev\n```\n```yaml\nlevelset: dev\n```\n")).toEqual([]);
});

test("a sentence contains commands in backticks", () => {
  expect(
    shown("Run `levelset why KIND/NAME`, or `levelset get\\|create`,\n`kubectl get` or `levelset fleet api|dev --x`."),
  ).toEqual([
    "1 sentence: levelset·why·KIND/NAME",
    "1 sentence: levelset·get",
    "1 sentence: levelset·create",
    "2 sentence: levelset·fleet·api·--x",
    "2 sentence: levelset·fleet·dev·--x",
  ]);
});
