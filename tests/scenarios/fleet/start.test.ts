import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../../support/test-process.ts";
import { LAUNCHER } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";

const CONFIG = `
entities:
  - kind: Cluster
    plural: clusters
    required_adapters: [dns]
    conditions:
      - type: Reconciled
        when: { expression: "true" }
        output:
          status: { expression: "true" }
          reason: { expression: "'a'" }
          message: { expression: "'b'" }
`;

test("an API whose kinds define a reserved condition does not start, and reports why", async () => {
  await using directory = await tempDirectory();
  const config = join(directory.path, "fleet.yaml");
  await writeFile(config, CONFIG);
  const args = ["-C", "levelset-source", LAUNCHER, "fleet", "api", "--config", config];
  const { code, stderr } = await runProcess(process.execPath, { args, cwd: directory.path });
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain("entities: Cluster: conditions: the type Reconciled is reserved");
});
