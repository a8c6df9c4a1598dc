import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { TestProcess } from "./test-process.ts";

function shell(script: string): TestProcess {
  return new TestProcess("sh", { args: ["-c", script], cwd: tmpdir() });
}

test("a character that is split across two chunks is decoded as one", async () => {
  await using running = shell(String.raw`printf '\342\234'; sleep 0.1; printf '\223 ready'`);
  expect([...(await running.untilOutput(/. ready/u))]).toEqual(["✓ ready"]);
});

test("a line that is split across two chunks is matched as a whole", async () => {
  await using running = shell("printf 'port 12'; sleep 0.1; echo 34; sleep 60");
  expect((await running.untilOutput(/port (\d+)/u))[1]).toBe("1234");
});

test("output of a child process after the program has ended is received", async () => {
  await using running = shell("(sleep 0.1; echo early; sleep 0.1; echo late) &");
  await running.untilOutput(/early/u);
  await running.untilOutput(/late/u);
  await expect(running.untilOutput(/never/u)).rejects.toThrow(
    "the process ended without the output /never/u:\nearly\nlate\n",
  );
});
