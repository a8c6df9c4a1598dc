import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { exampleCommand, listExamples } from "../../tools/example/example.ts";
import { TestProcess } from "../support/process.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";

const examples = await listExamples(pathToFileURL(join(ROOT, "examples/")));
const operators = examples.filter(({ of }) => of.kind === "operators");

describe("an example", () => {
  test.each(operators)(
    "$name brings its sample to ready on an embedded server, and stops on Ctrl-C",
    async ({ name }) => {
      await using directory = await scratch();
      const command = exampleCommand([name], examples);
      if (command.kind !== "run") throw new Error(command.lines.join("\n"));
      const args = [LAUNCHER, ...command.args, "--kubeconfig", join(directory.path, "kubeconfig")];
      await using running = new TestProcess(process.execPath, { args, cwd: ROOT });
      await running.says(/ {2}✓ ready {3}generation 1/u);
      running.signal("SIGINT");
      expect((await running.ended()).code).toBe(0);
    },
    30_000,
  );
});
