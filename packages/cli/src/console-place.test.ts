import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@levelset/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONSOLE_PATH, startWhereItWas } from "./console-place.ts";
import type { ConsolePlace } from "./console-place.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-console-"));
});
afterEach(() => rm(cwd, { recursive: true }));

interface Started {
  readonly url: string;
  readonly place: ConsolePlace;
}

/** A console on a machine on which some ports are taken. */
function start(port: number, taken: readonly number[] = []): Promise<Started> {
  return startWhereItWas({ cwd, port }, (place) => {
    if (taken.includes(place.port)) return Promise.reject(new InputError("the port is taken"));
    const listens = place.port === 0 ? 4_000 + taken.length : place.port;
    return Promise.resolve({ url: `http://127.0.0.1:${listens}/`, place: { ...place, port: listens } });
  });
}

test("a console that is started again is where it was, with the token that browsers have", async () => {
  const { place } = await start(0);
  expect((await start(0)).place).toEqual(place);
  const moved = (await start(8_080)).place;
  expect(moved).toEqual({ port: 8_080, token: place.token });
  expect((await start(0)).place).toEqual(moved);
  expect((await stat(join(cwd, CONSOLE_PATH))).mode & 0o777).toBe(0o600);
});

test("a second console of a directory listens elsewhere, and the first keeps its place", async () => {
  const { place } = await start(0);
  expect((await start(0, [place.port])).place.port).not.toBe(place.port);
  expect(JSON.parse(await readFile(join(cwd, CONSOLE_PATH), "utf8"))).toEqual(place);
});

test("a port that is asked for and taken is an error", async () => {
  await start(0);
  await expect(start(8_080, [8_080])).rejects.toThrow("taken");
});

test.for([
  ["that others could read", JSON.stringify({ port: 1, token: "t".repeat(32) }), 0o644],
  ["that is too short to be one", JSON.stringify({ port: 1, token: "t" }), 0o600],
  ["that is none", "{", 0o600],
] as const)("a token %s is not used again", async ([, text, mode]) => {
  await mkdir(join(cwd, ".levelset"));
  await writeFile(join(cwd, CONSOLE_PATH), text);
  await chmod(join(cwd, CONSOLE_PATH), mode);
  const { place } = await start(0);
  expect(place.token).not.toContain("t".repeat(32));
  expect((await start(0)).place).toEqual(place);
});
