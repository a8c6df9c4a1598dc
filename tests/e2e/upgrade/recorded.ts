import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { isJsonObject } from "@levelset/core";
import type { VirtualClock } from "@levelset/core/testing";
import { ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";

/** The files of a recorded version. */
export const FILES = {
  /** `{ time }`: the clock in milliseconds at the end of the recording. */
  recorded: "recorded.json",
  /** A data file of `levelset apiserver --data`. Databases are stored compressed, as `.gz`. */
  cluster: "apiserver.db",
  /** All objects of that file by area, as the API returned them. */
  operands: "operands.yaml",
  children: "children.yaml",
  adapters: "adapter-resources.yaml",
  others: "others.yaml",
  /** The CRDs as `levelset crd print` prints them. */
  crds: "crds.yaml",
  /** A fleet's SQLite file, and its content as the API returned it. */
  sqlite: "fleet.db",
  sqliteExport: "fleet-sqlite.json",
  /** A dump of a fleet's PostgreSQL schema, and its content as the API returned it. */
  postgres: "fleet.sql",
  postgresExport: "fleet-postgres.json",
} as const;

/** The PostgreSQL schema of the dump. */
export const POSTGRES_SCHEMA = "fleet";

/** The folder of a version's fixtures. */
export function folderOf(version: string): string {
  return join(ROOT, "tests", "e2e", "upgrade", version);
}

/** Returns the recorded versions. */
export async function recordedVersions(): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, "tests", "e2e", "upgrade"));
  return names.filter((name) => /^\d+\.\d+$/u.test(name)).toSorted();
}

/** Copies of a version's fixtures, which the code under test may change. */
export interface Copies extends AsyncDisposable {
  /** When it was recorded, in milliseconds. */
  readonly time: number;
  path(file: string): string;
  text(file: string): Promise<string>;
}

/** Copies the fixtures of a version. */
export async function copiesOf(version: string): Promise<Copies> {
  const directory = await tempDirectory();
  const from = folderOf(version);
  for (const name of await readdir(from)) {
    const content = await readFile(join(from, name));
    const isPacked = name.endsWith(".gz");
    await writeFile(join(directory.path, name.replace(/\.gz$/u, "")), isPacked ? gunzipSync(content) : content);
  }
  const path = (file: string): string => join(directory.path, file);
  const recorded: unknown = JSON.parse(await readFile(path(FILES.recorded), "utf8"));
  if (!isJsonObject(recorded)) throw new Error(`${FILES.recorded} of ${version} is not a JSON object`);
  return {
    time: Number(recorded["time"]),
    path,
    text: (file) => readFile(path(file), "utf8"),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** Compresses a database that is closed. */
export async function pack(path: string): Promise<void> {
  await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: 9 }));
  await rm(path);
}

/** Advances the clock until a promise settles, and returns its value. */
export async function passing<Out>(clock: VirtualClock, work: Promise<Out>): Promise<Out> {
  const state = { isOver: false };
  const over = (): boolean => (state.isOver = true);
  work.then(over, over);
  while (!state.isOver) await clock.advance(100);
  return work;
}
