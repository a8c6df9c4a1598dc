import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAssets } from "./assets.ts";
import type { FoundAssets } from "./assets.ts";
import { startCluster } from "./cluster.ts";
import { httpsGet } from "./https-get.ts";

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "levelset-envtest-test-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const found = await findAssets({ env: process.env });
if (found.kind === "found") defineSuite(found);
else {
  console.warn(found.line);
  describe("a real cluster", () => {
    test.skip("needs kube-apiserver", () => {});
  });
}

function defineSuite(assets: FoundAssets): void {
  describe("a real cluster", () => {
    test("requires its token, and is removed completely", async () => {
      const directory = await mkdtemp(join(scratch, "real-"));
      const pids: number[] = [];
      const log = (message: string, fields: Readonly<Record<string, string | number>>): void => {
        if (message === "process started") pids.push(Number(fields["pid"]));
      };
      const cluster = await startCluster({ assets, directory, log });
      const { url, ca, token } = cluster;
      const response = await httpsGet({ url: `${url}/version`, ca, token, timeoutMs: 10_000 });
      expect(JSON.parse(response.body)).toMatchObject({ gitVersion: cluster.version });
      const stranger = await httpsGet({ url: `${url}/api/v1/namespaces`, ca, token: "stranger", timeoutMs: 10_000 });
      expect(stranger.status).toBe(401);
      expect((await stat(cluster.kubeconfig)).mode & 0o777).toBe(0o600);
      expect(await readFile(cluster.kubeconfig, "utf8")).toContain(url);

      await cluster.stop();
      await cluster.stop();
      expect(pids).toHaveLength(2);
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      expect(await readdir(directory)).toEqual([]);
    });

    test("a cancelled start is cleaned up completely", async () => {
      const directory = await mkdtemp(join(scratch, "given-up-"));
      const controller = new AbortController();
      const log = (): void => controller.abort(new Error("given up"));
      const start = startCluster({ assets, directory, signal: controller.signal, log });
      await expect(start).rejects.toThrow("given up");
      expect(await readdir(directory)).toEqual([]);
    });
  });
}
