import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/repository.ts";
import { runDocument } from "./run-document.ts";
import { createReaderMachine } from "./reader-machine.ts";
import type { StartingPoint } from "./reader-machine.ts";

/** Executed documents with their initial directory. */
const DOCUMENTS: Readonly<Record<string, StartingPoint>> = {
  "README.md": "clone",
  "docs/guide/first-operator.md": "fresh clone",
  "docs/guide/deploying.md": "project",
  "docs/guide/simulation.md": "project",
  "docs/guide/why.md": "clone",
  "docs/guide/operand.md": "clone",
  "docs/guide/fleet.md": "clone",
  "docs/reference/operand-cli.md": "clone",
  "docs/reference/fleet-config.md": "clone",
  "docs/reference/adapter-yaml.md": "clone",
};

describe("the commands of a document print what it shows", () => {
  test.each(Object.entries(DOCUMENTS))(
    "%s",
    async (path, start) => {
      await using machine = await createReaderMachine(start);
      const run = runDocument(await readFile(join(ROOT, path), "utf8"), machine.shellEnvironment);
      await expect(run).resolves.toBeUndefined();
    },
    600_000,
  );
});
