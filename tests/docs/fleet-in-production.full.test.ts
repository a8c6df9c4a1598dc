import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePorts } from "../../tools/envtest/port.ts";
import { NATS, POSTGRESQL, together } from "../../tools/system/need.ts";
import { startNats } from "../support/nats-server.ts";
import { POSTGRES_PASSWORD, startPostgres } from "../support/postgres-server.ts";
import { ROOT } from "../support/repository.ts";
import { onServer } from "../support/server-process.ts";
import { perform } from "./perform.ts";
import { stage } from "./stage.ts";

onServer("a fleet in production", together(POSTGRESQL, NATS), () => {
  test("who does what docs/guide/fleet-in-production.md says sees what it shows", async () => {
    await using postgres = await startPostgres();
    await using nats = await startNats();
    await using place = await stage("clone");
    const { seat } = place;
    const secret = join(seat.memory, "db");
    await writeFile(secret, POSTGRES_PASSWORD);
    const env = {
      ...seat.env,
      LEVELSET_FLEET_STORE_URL: postgres.url,
      LEVELSET_FLEET_STORE_PASSWORD_FILE: secret,
      LEVELSET_FLEET_BROKER_NATS_SERVERS: nats.address,
    };
    let document = await readFile(join(ROOT, "docs/guide/fleet-in-production.md"), "utf8");
    // A reader's ports are free; here others may have taken them.
    const shown = [...new Set(document.match(/\b1[89]0\d\d\b/gu))];
    const free = await freePorts(shown.length);
    for (const [index, port] of shown.entries()) document = document.replaceAll(port, String(free[index]));
    await expect(perform(document, { ...seat, env })).resolves.toBeUndefined();
  }, 300_000);
});
