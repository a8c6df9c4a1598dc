import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { exampleCommand, listExamples } from "../../../tools/example/example.ts";
import { TestProcess } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";

const examples = await listExamples(pathToFileURL(join(ROOT, "examples/")));

/** The names of all examples with operators. */
export const OPERATOR_EXAMPLES: readonly string[] = examples
  .filter(({ of }) => of.kind === "operators")
  .map(({ name }) => name);

/** Runs examples as a reader does. */
export function describeExamples(names: readonly string[]): void {
  describe("an example", () => {
    test.each(names)("%s makes its sample Ready on an embedded server, and stops on Ctrl-C", async (name) => {
      await using directory = await tempDirectory();
      const command = exampleCommand([name], examples);
      if (command.kind !== "run") throw new Error(command.lines.join("\n"));
      const args = [LAUNCHER, ...command.args, "--kubeconfig", join(directory.path, "kubeconfig")];
      await using running = new TestProcess(process.execPath, { args, cwd: ROOT });
      await running.untilOutput(/ {2}✓ Ready {3}generation 1/u);
      running.signal("SIGINT");
      expect((await running.untilExit()).code).toBe(0);
    });
  });
}
