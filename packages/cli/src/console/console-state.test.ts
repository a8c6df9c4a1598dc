import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@levelset/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONSOLE_STATE_PATH, startAtLastAddress } from "./console-state.ts";
import type { ConsoleState } from "./console-state.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-console-"));
});
afterEach(() => rm(cwd, { recursive: true }));

interface Started {
  readonly url: string;
  readonly state: ConsoleState;
}

/** Starts a console on a machine where some ports are in use. */
function start(port: number, used: readonly number[] = []): Promise<Started> {
  return startAtLastAddress({ cwd, port }, (state) => {
    if (used.includes(state.port)) return Promise.reject(new InputError("the port is used"));
    const listens = state.port === 0 ? 4_000 + used.length : state.port;
    return Promise.resolve({ url: `http://127.0.0.1:${listens}/`, state: { ...state, port: listens } });
  });
}

test("a restarted console uses the same port and token", async () => {
  const { state } = await start(0);
  expect((await start(0)).state).toEqual(state);
  const changed = (await start(8_080)).state;
  expect(changed).toEqual({ port: 8_080, token: state.token });
  expect((await start(0)).state).toEqual(changed);
  expect((await stat(join(cwd, CONSOLE_STATE_PATH))).mode & 0o777).toBe(0o600);
});

test("a second console of a directory uses another port, and the first keeps its state file", async () => {
  const { state } = await start(0);
  expect((await start(0, [state.port])).state.port).not.toBe(state.port);
  expect(JSON.parse(await readFile(join(cwd, CONSOLE_STATE_PATH), "utf8"))).toEqual(state);
});

test("a requested port in use is an error", async () => {
  await start(0);
  await expect(start(8_080, [8_080])).rejects.toThrow("used");
});

test.for([
  ["that other users can read", JSON.stringify({ port: 1, token: "t".repeat(32) }), 0o644],
  ["that is too short", JSON.stringify({ port: 1, token: "t" }), 0o600],
  ["that is invalid", "{", 0o600],
] as const)("a token %s is not reused", async ([, text, mode]) => {
  await mkdir(join(cwd, ".levelset"));
  await writeFile(join(cwd, CONSOLE_STATE_PATH), text);
  await chmod(join(cwd, CONSOLE_STATE_PATH), mode);
  const { state } = await start(0);
  expect(state.token).not.toContain("t".repeat(32));
  expect((await start(0)).state).toEqual(state);
});
