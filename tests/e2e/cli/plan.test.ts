import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { realClock } from "@levelset/core";
import { Client, installCrd } from "@levelset/operator";
import { expect, test } from "vitest";
import { ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { connectSession, startEmbeddedServer } from "../../support/test-server.ts";
import { Note } from "./forgotten-await.fixture.ts";
import { levelset, start } from "./levelset-command.ts";

test("a plan exits with the code for its result, and survives a forgotten await of a step", async () => {
  await using target = await startEmbeddedServer();
  await using connected = await connectSession(target);
  const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
  await installCrd(client, Note, { clock: realClock });
  const plan = (): ReturnType<typeof levelset> =>
    levelset(
      ROOT,
      "plan",
      "tests/e2e/cli/forgotten-await.fixture.ts",
      "--kubeconfig",
      target.kubeconfig,
      "--exit-code",
    );
  expect(await plan()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^note: no Note was copied: .*\n\nno changes; 0 objects unchanged\n$/u),
  });
  const create = async (name: string, rejects: "nowhere" | "step"): Promise<void> => {
    await client.create(Note, { metadata: { namespace: "default", name }, spec: { rejects } });
  };
  await create("fine", "nowhere");
  expect(await plan()).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/1 status to change; 0 objects unchanged\n$/u),
  });
  await create("broken", "step");
  expect(await plan()).toMatchObject({
    code: 4,
    stdout: expect.stringContaining("✗ operator  unhandled rejection in a step: await its promises: no connection\n"),
  });
  expect((await client.get(Note, { namespace: "default", name: "fine" })).status).toBeUndefined();
});

test("a plan that is stopped does not pass, and does not blame the program", async () => {
  await using project = await tempDirectory();
  const source = 'console.log("loading");\nawait new Promise((resolve) => setTimeout(resolve, 1e9));\n';
  await writeFile(join(project.path, "operator.mjs"), source);
  await using running = start(project.path, "plan", "operator.mjs", "--exit-code");
  await running.untilOutput(/loading/u);
  running.signal("SIGINT");
  running.signal("SIGTERM");
  expect({ code: (await running.untilExit()).code, output: running.output }).toEqual({
    code: 130,
    output: "loading\n",
  });
});

test("a program that ends the process does not pass a plan, and its output goes to stderr", async () => {
  await using project = await tempDirectory();
  await writeFile(join(project.path, "operator.mjs"), 'process.stdout.write("debug\\n");\nprocess.exit(0);\n');
  const { code, stdout, stderr } = await levelset(project.path, "plan", "operator.mjs", "--exit-code");
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toBe("debug\nlevelset: the program ended the process: remove process.exit from its code\n");
});
