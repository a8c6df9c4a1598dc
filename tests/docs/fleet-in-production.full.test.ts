import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePorts } from "../../tools/envtest/port.ts";
import { NATS, POSTGRESQL, combineRequirements } from "../../tools/system/system-requirement.ts";
import { startNats } from "../support/nats-server.ts";
import { POSTGRES_PASSWORD, startPostgres } from "../support/postgres-server.ts";
import { ROOT } from "../support/repository.ts";
import { onServer } from "../support/server-process.ts";
import { runDocument } from "./run-document.ts";
import { createReaderMachine } from "./reader-machine.ts";

onServer("a fleet in production", combineRequirements(POSTGRESQL, NATS), () => {
  test("the commands of docs/guide/fleet-in-production.md print what it shows", async () => {
    await using postgres = await startPostgres();
    await using nats = await startNats();
    await using machine = await createReaderMachine("clone");
    const { shellEnvironment: shell } = machine;
    const secret = join(shell.stateDirectory, "db");
    await writeFile(secret, POSTGRES_PASSWORD);
    const env = {
      ...shell.env,
      LEVELSET_FLEET_STORE_URL: postgres.url,
      LEVELSET_FLEET_STORE_PASSWORD_FILE: secret,
      LEVELSET_FLEET_BROKER_NATS_SERVERS: nats.address,
    };
    let document = await readFile(join(ROOT, "docs/guide/fleet-in-production.md"), "utf8");
    // The ports of the document may be in use on this machine.
    const shown = [...new Set(document.match(/\b1[89]0\d\d\b/gu))];
    const free = await freePorts(shown.length);
    for (const [index, port] of shown.entries()) document = document.replaceAll(port, String(free[index]));
    await expect(runDocument(document, { ...shell, env })).resolves.toBeUndefined();
  });
});
