import { expect, test } from "vitest";
import { exampleCommand, listExamples } from "./example.ts";

const examples = await listExamples(new URL("../../examples/", import.meta.url));

test("an example runs on an embedded server, or on the cluster of a kubeconfig", () => {
  expect(exampleCommand(["simple"], examples)).toEqual({
    kind: "run",
    args: ["dev", "examples/01-simple/simple.ts", "--apply", "examples/01-simple/sample.yaml"],
  });
  expect(exampleCommand(["simple", "--kubeconfig", "f"], examples)).toMatchObject({
    args: [
      "run",
      "examples/01-simple/simple.ts",
      "--apply",
      "examples/01-simple/sample.yaml",
      "--install-crds",
      "--live",
      "--kubeconfig",
      "f",
    ],
  });
});

test("adapters run with a fleet, including those configured in YAML", () => {
  const adapters = ["--adapters", "examples/06-fleet/validation", "--adapters", "examples/06-fleet/fleet.ts"];
  expect(exampleCommand(["fleet"], examples)).toEqual({ kind: "run", args: ["dev", ...adapters] });
  expect(exampleCommand(["fleet", "--kubeconfig", "f"], examples)).toEqual({
    kind: "run",
    args: ["fleet", "dev", "--memory", ...adapters, "--kubeconfig", "f"],
  });
});

test("an example can be named by its directory too", () => {
  expect(exampleCommand(["02-rwexternal"], examples)).toEqual(exampleCommand(["rwexternal"], examples));
  expect(exampleCommand(["rwexternal"], examples)).toMatchObject({ kind: "run" });
});

test("an unknown example is rejected with the list of names", () => {
  expect(exampleCommand(["nope"], examples)).toMatchObject({
    kind: "say",
    code: 2,
    lines: ["example: there is no example nope", expect.stringMatching(/^hint: simple, rwexternal/u)],
  });
  expect(exampleCommand([], examples)).toMatchObject({ code: 2 });
  expect(exampleCommand(["--help"], examples)).toMatchObject({ code: 0 });
});
