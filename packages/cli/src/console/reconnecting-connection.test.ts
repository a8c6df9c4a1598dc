import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer, listen } from "@levelset/apiserver";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { loadKubeconfig } from "@levelset/operator";
import { afterAll, expect, test } from "vitest";
import { ReconnectingConnection } from "./reconnecting-connection.ts";

const directory = mkdtempSync(join(tmpdir(), "levelset-renewed-"));
const file = join(directory, "kubeconfig");
afterAll(() => rmSync(directory, { recursive: true }));

interface Started extends AsyncDisposable {
  readonly kubeconfig: string;
  readonly url: string;
}

async function started(options: { readonly port?: number; readonly token?: string } = {}): Promise<Started> {
  const server = createApiServer({ clock: realClock, random: realRandom, logger: silentLogger });
  const listening = await listen(server, options);
  return {
    kubeconfig: listening.kubeconfig(),
    url: listening.url,
    [Symbol.asyncDispose]: async () => {
      await listening.close();
      server.close();
    },
  };
}

async function connected(): Promise<ReconnectingConnection> {
  return new ReconnectingConnection({
    access: await loadKubeconfig(file),
    files: [file],
    read: () => loadKubeconfig(file),
  });
}

async function statusOf(connection: ReconnectingConnection): Promise<number | string> {
  const response = connection.fetch(new Request(`${CLUSTER_ORIGIN}/api/v1/namespaces`));
  return response.then(
    ({ status }) => status,
    () => "no answer",
  );
}

test("a server restarted on another port is found through its new kubeconfig", async () => {
  const before = await started();
  writeFileSync(file, before.kubeconfig);
  const connection = await connected();
  let renewals = 0;
  connection.onReconnect(() => (renewals += 1));
  expect(await statusOf(connection)).toBe(200);
  await before[Symbol.asyncDispose]();
  rmSync(file);
  expect(await statusOf(connection)).toBe("no answer");
  expect(renewals).toBe(0);
  await using after = await started();
  writeFileSync(file, after.kubeconfig);
  expect(await statusOf(connection)).toBe("no answer");
  expect(await statusOf(connection)).toBe(200);
  expect(connection.access.server).toBe(after.url);
  expect(renewals).toBe(1);
  await connection.close();
});

test("rejected credentials are replaced after a new login, and a partially written file is ignored", async () => {
  await using server = await started({ token: "new" });
  const expired = server.kubeconfig.replace("new", "old");
  writeFileSync(file, expired);
  const connection = await connected();
  expect(await statusOf(connection)).toBe(401);
  writeFileSync(file, "current-context: [");
  expect(await statusOf(connection)).toBe(401);
  writeFileSync(file, server.kubeconfig);
  expect(await statusOf(connection)).toBe(401);
  expect(await statusOf(connection)).toBe(200);
  await connection.close();
});
