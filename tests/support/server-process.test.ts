import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { ServerProcess, onFreePorts } from "./server-process.ts";
import { tempDirectory } from "./temp-directory.ts";
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
    await expect.poll(() => [isAlive(Number(pid)), existsSync(path)]).toEqual([false, false]);
  },
);

test("a server whose port was taken meanwhile starts on another one, after three attempts it fails", async () => {
  await using directory = await tempDirectory();
  const attempt = async (port: number, isTaken: boolean): Promise<number> => {
    const other = createServer();
    if (isTaken) await once(other.listen(port, "127.0.0.1"), "listening");
    const args = ["-e", `require("node:net").createServer().listen(${port}, "127.0.0.1", () => console.log("up"))`];
    const server = new ServerProcess(process.execPath, { args, cwd: directory.path, ready: /^up$/mu });
    try {
      await server.start();
      await server.kill();
      return port;
    } finally {
      other.close();
    }
  };
  const ports: number[] = [];
  const first = await onFreePorts(1, ([port = 0]) => attempt(port, ports.push(port) < 3));
  expect([ports.length, new Set(ports).size, first]).toEqual([3, 3, ports[2]]);
  await expect(onFreePorts(1, ([port = 0]) => attempt(port, ports.push(port) > 0))).rejects.toThrow("EADDRINUSE");
  expect(ports).toHaveLength(6);
  await expect(onFreePorts(1, ([port = 0]) => Promise.reject(new Error(`${ports.push(port)}`)))).rejects.toThrow("7");
  expect(ports).toHaveLength(7);
});
