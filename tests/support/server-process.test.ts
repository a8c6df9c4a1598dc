import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { TestProcess } from "./test-process.ts";

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: no such process
  }
}

test.for([["SIGINT"], ["SIGKILL"]] as const)(
  "a server and its data are removed when its owner ends by %s",
  async ([signal]) => {
    const args = ["-C", "levelset-source", "tests/support/server-owner.fixture.ts"];
    await using owner = new TestProcess(process.execPath, { args, cwd: ROOT });
    const [, pid = "", path = ""] = await owner.untilOutput(/owner of (\d+) in (\S+)/u);
    expect([isAlive(Number(pid)), existsSync(path)]).toEqual([true, true]);
    owner.signal(signal);
    await owner.untilExit();
    await expect.poll(() => [isAlive(Number(pid)), existsSync(path)], { timeout: 20_000 }).toEqual([false, false]);
  },
);
