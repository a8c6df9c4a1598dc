import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tempDirectory } from "../support/temp-directory.ts";
import type { TempDirectory } from "../support/temp-directory.ts";
import { runDocument } from "./run-document.ts";

let directory: TempDirectory;
beforeEach(async () => {
  directory = await tempDirectory();
  await mkdir(join(directory.path, "state"));
});
afterEach(() => directory[Symbol.asyncDispose]());

const run = (...lines: readonly string[]): Promise<void> =>
  runDocument(lines.join("\n"), { cwd: directory.path, env: {}, stateDirectory: join(directory.path, "state") });

describe("runDocument", () => {
  test("retains the directory and variables between commands", async () => {
    await run(
      "```console",
      "$ mkdir deep && cd deep",
      "$ export GREETING=hello",
      "```",
      "```txt save=who/there.txt",
      "world",
      "```",
      "```txt append=who/there.txt",
      "again",
      "```",
      "```console",
      '$ echo "$GREETING $(head -1 who/there.txt)"',
      "hello world",
      "```",
    );
    expect(await readFile(join(directory.path, "deep/who/there.txt"), "utf8")).toBe("world\n\nagain\n");
  });

  test("reads the output of a background terminal, and stops it with Ctrl-C", async () => {
    await run(
      "```console terminal=other",
      "$ trap 'echo bye > ended; exit' INT; echo ready; until [ -e sign ]; do sleep 0.05; done; echo seen; while true; do sleep 0.05; done",
      "ready",
      "```",
      "```sh",
      "touch sign      # the other one waits for it",
      "```",
      "```console terminal=other",
      "seen",
      "^C",
      "```",
      "```console",
      "$ cat ended",
      "bye",
      "```",
    );
    expect(await readFile(join(directory.path, "ended"), "utf8")).toBe("bye\n");
  });

  test("retries a command that may take a while, and checks its exit code", async () => {
    const count = "echo x >> count; wc -l < count | tr -d ' '; [ $(wc -l < count) -ge 3 ] && exit 7";
    await run("```console eventually exit=7", `$ ${count}`, "3", "```");
    expect(await readFile(join(directory.path, "count"), "utf8")).toBe("x\nx\nx\n");
  });

  test.each([
    [["```console", "$ echo a", "b", "```"], "line 2: $ echo a\nmissing: b\noutput:\na\n"],
    [["```console", "$ echo a", "```"], "line 2: $ echo a\nmissing: the end, instead of: a"],
    [["", "```sh", "true", "false", "```"], "line 4: $ false\nexit code 1, expected 0"],
    [["```console terminal=x", "$ echo a", "b", "```"], "line 2: missing:\nb\noutput:\na\n"],
  ])("reports the difference and its location for %j", async (lines, message) => {
    await expect(run(...lines)).rejects.toThrow(message);
  });
});
