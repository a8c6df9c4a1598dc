import { expect, test } from "vitest";
import { shownCommands } from "./shown-command.ts";

const shown = (text: string): readonly string[] =>
  shownCommands(text).map(({ line, words, place }) => `${line} ${place}: ${words.join("·")}`);

test("a block shows one command a line, or several, up to a comment", () => {
  const block = [
    "```sh elsewhere",
    "levelset dev a.ts        # on an embedded server",
    "$ npx levelset get clusters -w",
    "KUBECONFIG=x npx --no levelset why 'a b' > answer.txt",
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

test("blocks of other languages show none", () => {
  expect(shown("```ts\nlevelset dev\n```\n```yaml\nlevelset: dev\n```\n")).toEqual([]);
});

test("a sentence names commands in backticks, several at once too", () => {
  expect(
    shown("Say `levelset why KIND/NAME`, or `levelset get\\|create`,\n`kubectl get` or `levelset fleet api|dev --x`."),
  ).toEqual([
    "1 sentence: levelset·why·KIND/NAME",
    "1 sentence: levelset·get",
    "1 sentence: levelset·create",
    "2 sentence: levelset·fleet·api·--x",
    "2 sentence: levelset·fleet·dev·--x",
  ]);
});
