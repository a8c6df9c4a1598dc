import { validate } from "@levelset/core/schema";
import { Operand } from "@levelset/operator";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addSpecFlags, specOf } from "./spec-flags.ts";
import type { SpecFlags } from "./spec-flags.ts";

function specFrom(...args: readonly string[]): unknown {
  return specOf(
    addSpecFlags(new Command())
      .parse([...args], { from: "user" })
      .opts<SpecFlags>(),
  );
}

test("a value with several words is a flag with dashes", () => {
  expect(
    specFrom("--deletion-policy", "wait-for-termination", "--adoption", "if-unowned", "--adopted-fields", "keep"),
  ).toEqual({
    deletionPolicy: "WaitForTermination",
    adoption: "IfUnowned",
    adoptedFields: "Keep",
  });
  expect(specFrom("--health-gate", "all")).toEqual({ healthGate: "All" });
  expect(specFrom("--prune", "confirm", "--drift", "report")).toEqual({
    prune: { mode: "Confirm" },
    drift: { mode: "Report" },
  });
});

test("a service account has a namespace and a name", () => {
  expect(specFrom("--service-account", "shop/installer")).toEqual({
    serviceAccountNamespace: "shop",
    serviceAccountName: "installer",
  });
  const command = addSpecFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  expect(() => command.parse(["--service-account", "installer"], { from: "user" })).toThrow("write NAMESPACE/NAME");
});

test("every choice of a flag is a value of the spec", () => {
  const spec = Operand.schema.properties?.["spec"] ?? {};
  const { options } = addSpecFlags(new Command());
  const choices = options.flatMap(({ long, argChoices = [] }) => argChoices.map((choice) => [long ?? "", choice]));
  expect(choices).toContainEqual(["--prune", "deferred"]);
  expect(choices.flatMap((args) => validate(spec, specFrom(...args)))).toEqual([]);
});
