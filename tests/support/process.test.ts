import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { TestProcess } from "./process.ts";

function shell(script: string): TestProcess {
  return new TestProcess("sh", { args: ["-c", script], cwd: tmpdir() });
}

test("a character that comes in two pieces is one", async () => {
  await using said = shell(String.raw`printf '\342\234'; sleep 0.1; printf '\223 ready'`);
  expect([...(await said.says(/. ready/u))]).toEqual(["✓ ready"]);
});

test("a line that comes in two pieces is heard as a whole", async () => {
  await using said = shell("printf 'port 12'; sleep 0.1; echo 34; sleep 60");
  expect((await said.says(/port (\d+)/u))[1]).toBe("1234");
});

test("what is said after the program has ended, by something that it started, is heard", async () => {
  await using said = shell("(sleep 0.1; echo early; sleep 0.1; echo late) &");
  await said.says(/early/u);
  await said.says(/late/u);
  await expect(said.says(/never/u)).rejects.toThrow("it ended without saying /never/u:\nearly\nlate\n");
});
