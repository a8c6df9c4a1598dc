import { join } from "node:path";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { connect, loadKubeconfig } from "@levelset/operator";
import { expect, test } from "vitest";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";

function server(...args: readonly string[]): TestProcess {
  return new TestProcess(process.execPath, { args: [LAUNCHER, "apiserver", ...args], cwd: ROOT });
}

async function call(kubeconfig: string, method: string, path: string, body?: unknown): Promise<number> {
  const connection = connect(await loadKubeconfig(kubeconfig));
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "content-type": "application/json" };
  const { status } = await connection.fetch(new Request(CLUSTER_ORIGIN + path, { method, headers, ...init }));
  await connection.close();
  return status;
}

test("levelset apiserver --data preserves objects across a kill, for one process at a time", async () => {
  await using directory = await tempDirectory();
  const kubeconfig = join(directory.path, "config");
  const data = `${directory.path}/data/`;
  await using first = server("--data", data, "--kubeconfig", kubeconfig);
  await first.untilOutput(/objects are stored in/u);
  expect(await call(kubeconfig, "POST", CONFIGMAPS, { metadata: { name: "a" } })).toBe(201);
  const file = join(directory.path, "data", "levelset.db");
  const other = await runProcess(process.execPath, { args: [LAUNCHER, "apiserver", "--data", file], cwd: ROOT });
  expect([other.code, other.stderr]).toEqual([
    2,
    `levelset: ${file} is in use by another process\nhint: stop the other server, or pass another file with --data\n`,
  ]);
  first.signal("SIGKILL");
  await first.untilExit();
  const again = join(directory.path, "again");
  await using second = server("--data", data, "--kubeconfig", again);
  await second.untilOutput(/objects are stored in/u);
  expect(await call(again, "GET", `${CONFIGMAPS}/a`)).toBe(200);
});
