import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readRunFiles, thisMachine, writeRunFile } from "./run-file.ts";
import type { RunFileWorld } from "./run-file.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "levelset-run-file-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = (pid: number) => ({ url: "http://127.0.0.1:8080", token: "open", pid, operators: ["simple"] });

function world(alive: readonly number[], env: RunFileWorld["env"] = {}): RunFileWorld {
  return { env, tmpdir: root, uid: process.getuid?.(), isAlive: (pid) => alive.includes(pid) };
}

describe("a run file", () => {
  test("is found by other processes of the user while the process runs", () => {
    const here = world([1, 2]);
    expect(readRunFiles(here)).toEqual([]);
    const first = writeRunFile(run(1), here);
    const second = writeRunFile(run(2), here);
    expect(readRunFiles(here).toSorted((one, other) => one.pid - other.pid)).toEqual([run(1), run(2)]);
    first[Symbol.dispose]();
    expect(readRunFiles(here)).toEqual([run(2)]);
    second[Symbol.dispose]();
    expect(readdirSync(join(root, `levelset-${here.uid}`))).toEqual([]);
  });

  test("of a dead process is removed, and its pid can be reused", () => {
    writeRunFile(run(1), world([1]));
    const later = world([2]);
    expect(readRunFiles(later)).toEqual([]);
    writeRunFile(run(1), world([1]));
    writeRunFile(run(2), later);
    expect(readdirSync(join(root, `levelset-${later.uid}`))).toEqual(["2.json"]);
    writeRunFile(run(2), later);
    expect(readRunFiles(later)).toEqual([run(2)]);
  });

  test("is readable by its owner alone, in XDG_RUNTIME_DIR if set", () => {
    const here = world([1], { XDG_RUNTIME_DIR: join(root, "own") });
    writeRunFile(run(1), here);
    const path = join(root, "own", "levelset", "1.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "own", "levelset")).mode & 0o777).toBe(0o700);
  });

  test("has a reachable address if the process listens on all addresses", () => {
    const here = world([1, 2]);
    writeRunFile({ ...run(1), url: "http://0.0.0.0:8080" }, here);
    writeRunFile({ ...run(2), url: "http://[::]:8080" }, here);
    expect(
      readRunFiles(here)
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual(["http://127.0.0.1:8080", "http://[::1]:8080"]);
  });

  test("that is invalid is ignored and retained", () => {
    const here = world([1, 2, 3, 4]);
    writeRunFile({ ...run(1), server: "https://cluster.example" }, here);
    const directory = join(root, `levelset-${here.uid}`);
    writeFileSync(join(directory, "2.json"), "{");
    writeFileSync(join(directory, "3.json"), '{"url": 5}');
    writeFileSync(join(directory, "4.json"), JSON.stringify({ ...run(4), server: "nowhere" }));
    writeFileSync(join(directory, "notes.txt"), "mine");
    expect(readRunFiles(here)).toEqual([{ ...run(1), server: "https://cluster.example" }]);
    expect(readdirSync(directory).toSorted()).toEqual(["1.json", "2.json", "3.json", "4.json", "notes.txt"]);
  });

  test("is not written to a directory that other users can access", () => {
    const here = world([1]);
    const directory = join(root, `levelset-${here.uid}`);
    mkdirSync(directory);
    chmodSync(directory, 0o777);
    expect(() => writeRunFile(run(1), here)).toThrow("not a directory that only you can access");
    rmSync(directory, { recursive: true });
    mkdirSync(join(root, "elsewhere"), { mode: 0o700 });
    symlinkSync(join(root, "elsewhere"), directory);
    expect(() => writeRunFile(run(1), here)).toThrow("not a directory that only you can access");
    expect(() => readRunFiles(here)).toThrow("not a directory that only you can access");
  });

  test("of this process is reported as alive", () => {
    const here = thisMachine({ XDG_RUNTIME_DIR: root });
    writeRunFile(run(process.pid), here);
    expect(readRunFiles(here)).toEqual([run(process.pid)]);
    expect(JSON.parse(readFileSync(join(root, "levelset", `${process.pid}.json`), "utf8"))).toEqual(run(process.pid));
  });
});
