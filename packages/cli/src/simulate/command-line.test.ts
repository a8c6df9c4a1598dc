import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandLine } from "./command-line.ts";

/** Returns the words that bash makes of a line. */
function wordsOf(line: string): readonly string[] {
  const script = String.raw`printf '%s\0' ${line}`;
  return execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } })
    .split("\0")
    .slice(0, -1);
}

test("a command has the samples and ignored rules of the simulation", () => {
  expect(
    commandLine({ file: "src/operator.ts", samples: ["a.yaml", "b c.yaml"], ignore: ["hot-loop"] }, ["--seed", "7"]),
  ).toBe("levelset simulate src/operator.ts --samples a.yaml --samples 'b c.yaml' --ignore hot-loop --seed 7");
});

test.each([
  "'; touch owned; '",
  "$(touch owned)",
  "`touch owned`",
  "a\\",
  "a\nb",
  "\u0003\u0015touch owned\r",
  "\u202Ets",
  "ä",
])("the hostile file %j is one word of the shell", (file) => {
  const line = commandLine({ file, samples: undefined, ignore: [] }, ["--seed", "7"]);
  expect(wordsOf(line)).toEqual(["levelset", "simulate", file, "--seed", "7"]);
  expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});

test("a file with a leading dash is not an option", () => {
  const line = commandLine({ file: "--html=page", samples: undefined, ignore: [] }, []);
  expect(line).toBe("levelset simulate './--html=page'");
});
