import { expect, test } from "vitest";
import { choose } from "./choice.ts";

const CHOICES = {
  sprint: { about: "a short way", options: { "--quick": "a tenth of it", "--shoes left|right": "only these" } },
  walk: { about: "a long way" },
};

test("a name runs, with the options that it has", () => {
  expect(choose("move", CHOICES, ["walk"])).toEqual({ kind: "run", name: "walk", args: [] });
  const args = ["--quick", "--shoes", "left"];
  expect(choose("move", CHOICES, ["sprint", ...args])).toEqual({ kind: "run", name: "sprint", args });
  expect(choose("move", CHOICES, ["sprint", "--shoes=left"])).toMatchObject({ kind: "run" });
});

test("no name, or one that there is not, is answered with those there are", () => {
  expect(choose("move", CHOICES, [])).toEqual({
    kind: "say",
    lines: ["move: which one?", "hint: sprint, walk"],
    code: 2,
  });
  for (const name of ["fly", "toString"]) {
    const lines = [`move: there is no ${name}`, "hint: sprint, walk"];
    expect(choose("move", CHOICES, [name])).toEqual({ kind: "say", lines, code: 2 });
  }
});

test("an option that it has not is answered with those it has", () => {
  expect(choose("move", CHOICES, ["sprint", "--slow"])).toMatchObject({
    lines: ["move: sprint has no option --slow", "hint: --quick, --shoes left|right"],
    code: 2,
  });
  expect(choose("move", CHOICES, ["walk", "--quick"])).toMatchObject({ code: 2 });
});

test("help tells all of it, wherever it is asked for", () => {
  const lines = [
    "npm run move -- NAME [OPTIONS]",
    "",
    "  sprint                a short way",
    "    --quick             a tenth of it",
    "    --shoes left|right  only these",
    "  walk                  a long way",
  ];
  expect(choose("move", CHOICES, ["--help"])).toEqual({ kind: "say", lines, code: 0 });
  expect(choose("move", CHOICES, ["walk", "-h"])).toEqual({ kind: "say", lines, code: 0 });
});
