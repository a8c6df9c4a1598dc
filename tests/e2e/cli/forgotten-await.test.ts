import { isReady } from "@levelset/core";
import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { TestProcess } from "../../support/test-process.ts";
import { connectSession, startEmbeddedServer } from "../../support/test-server.ts";
import { Note } from "./forgotten-await.fixture.ts";

test("an operator survives a forgotten await of a step, names it, and ends after two rejections of unknown origin", async () => {
  await using target = await startEmbeddedServer();
  await using connected = await connectSession(target);
  const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
  const args = [LAUNCHER, "run", "tests/e2e/cli/forgotten-await.fixture.ts", "--install-crds"];
  await using running = new TestProcess(process.execPath, {
    args: [...args, "--kubeconfig", target.kubeconfig],
    cwd: ROOT,
  });
  await running.untilOutput(/running {2}operators=note/u);
  const create = async (name: string, rejects: "nowhere" | "step" | "elsewhere"): Promise<void> => {
    await client.create(Note, { metadata: { namespace: "default", name }, spec: { rejects } });
  };
  const ready = (name: string) => async (): Promise<boolean> =>
    isReady(await client.get(Note, { namespace: "default", name }));
  await create("broken", "step");
  await running.untilOutput(/unhandled rejection in a step: await its promises.*name=broken.*step=Forget/u);
  await running.untilOutput(/err="?no connection/u);
  await create("fine", "nowhere");
  await expect.poll(ready("fine")).toBe(true);
  await create("first", "elsewhere");
  await running.untilOutput(/unhandled rejection of unknown origin/u);
  await expect.poll(ready("first")).toBe(true);
  await create("second", "elsewhere");
  const { code } = await running.untilExit();
  expect(code).toBe(1);
  await running.untilOutput(/levelset: 2 unhandled rejections within a minute, the last one: no connection/u);
});
