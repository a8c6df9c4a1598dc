import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/repository.ts";
import { perform } from "./perform.ts";
import { stage } from "./stage.ts";
import type { Beginning } from "./stage.ts";

/** The documents whose commands are run and whose output is compared, with where their readers begin. */
const DOCUMENTS: Readonly<Record<string, Beginning>> = {
  "README.md": "clone",
  "docs/guide/first-operator.md": "fresh clone",
  "docs/guide/deploying.md": "project",
  "docs/guide/why.md": "clone",
  "docs/guide/operand.md": "clone",
  "docs/guide/fleet.md": "clone",
  "docs/reference/operand-cli.md": "clone",
  "docs/reference/fleet-config.md": "clone",
  "docs/reference/adapter-yaml.md": "clone",
};

describe("who does what a document says sees what it shows", () => {
  test.each(Object.entries(DOCUMENTS))(
    "%s",
    async (path, beginning) => {
      await using place = await stage(beginning);
      const performed = perform(await readFile(join(ROOT, path), "utf8"), place.seat);
      await expect(performed).resolves.toBeUndefined();
    },
    600_000,
  );
});
