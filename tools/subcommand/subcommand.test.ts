import { expect, test } from "vitest";
import { parseSubcommand } from "./subcommand.ts";

const CHOICES = {
  sprint: { about: "a short way", options: { "--quick": "a tenth of it", "--shoes left|right": "only these" } },
  walk: { about: "a long way" },
};

test("a known name is run with its options", () => {
  expect(parseSubcommand("move", CHOICES, ["walk"])).toEqual({ kind: "run", name: "walk", args: [] });
  const args = ["--quick", "--shoes", "left"];
  expect(parseSubcommand("move", CHOICES, ["sprint", ...args])).toEqual({ kind: "run", name: "sprint", args });
  expect(parseSubcommand("move", CHOICES, ["sprint", "--shoes=left"])).toMatchObject({ kind: "run" });
});

test("a missing or unknown name is rejected with the list of names", () => {
  expect(parseSubcommand("move", CHOICES, [])).toEqual({
    kind: "say",
    lines: ["move: which one?", "hint: sprint, walk"],
    code: 2,
  });
  for (const name of ["fly", "toString"]) {
    const lines = [`move: there is no ${name}`, "hint: sprint, walk"];
    expect(parseSubcommand("move", CHOICES, [name])).toEqual({ kind: "say", lines, code: 2 });
  }
});

test("an unknown option is rejected with the list of options", () => {
  expect(parseSubcommand("move", CHOICES, ["sprint", "--slow"])).toMatchObject({
    lines: ["move: sprint has no option --slow", "hint: --quick, --shoes left|right"],
    code: 2,
  });
  expect(parseSubcommand("move", CHOICES, ["walk", "--quick"])).toMatchObject({ code: 2 });
});

test("help lists all subcommands, at any position", () => {
  const lines = [
    "npm run move -- NAME [OPTIONS]",
    "",
    "  sprint                a short way",
    "    --quick             a tenth of it",
    "    --shoes left|right  only these",
    "  walk                  a long way",
  ];
  expect(parseSubcommand("move", CHOICES, ["--help"])).toEqual({ kind: "say", lines, code: 0 });
  expect(parseSubcommand("move", CHOICES, ["walk", "-h"])).toEqual({ kind: "say", lines, code: 0 });
});
