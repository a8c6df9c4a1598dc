import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";
import { perform } from "./perform.ts";

let place: Scratch;
beforeEach(async () => {
  place = await scratch();
  await mkdir(join(place.path, "memory"));
});
afterEach(() => place[Symbol.asyncDispose]());

const follow = (...lines: readonly string[]): Promise<void> =>
  perform(lines.join("\n"), { cwd: place.path, env: {}, memory: join(place.path, "memory") });

describe("a reader of a document", () => {
  test("stays in the directory and keeps the variables of the last command", async () => {
    await follow(
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
    expect(await readFile(join(place.path, "deep/who/there.txt"), "utf8")).toBe("world\n\nagain\n");
  });

  test("looks at what goes on in another terminal, and ends it with Ctrl-C", async () => {
    await follow(
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
    expect(await readFile(join(place.path, "ended"), "utf8")).toBe("bye\n");
  });

  test("asks again where it may take a while, and expects the code that is told", async () => {
    const count = "echo x >> count; wc -l < count | tr -d ' '; [ $(wc -l < count) -ge 3 ] && exit 7";
    await follow("```console eventually exit=7", `$ ${count}`, "3", "```");
    expect(await readFile(join(place.path, "count"), "utf8")).toBe("x\nx\nx\n");
  });

  test.each([
    [["```console", "$ echo a", "b", "```"], "line 2: $ echo a\nnot seen: b\nseen:\na\n"],
    [["```console", "$ echo a", "```"], "line 2: $ echo a\nnot seen: the end, instead of: a"],
    [["", "```sh", "true", "false", "```"], "line 4: $ false\nit ended with 1, not 0"],
    [["```console terminal=x", "$ echo a", "b", "```"], "line 2: not seen:\nb\nseen:\na\n"],
  ])("is told what differs, and where, by %j", async (lines, message) => {
    await expect(follow(...lines)).rejects.toThrow(message);
  });
});
