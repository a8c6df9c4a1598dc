import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SqliteStore } from "@levelset/apiserver";
import type { StoreEvent, StoredRecord } from "@levelset/apiserver";
import { randomInt } from "@levelset/core/internal";
import { seededRandom } from "@levelset/core/testing";
import { expect } from "vitest";
import { tempDirectory } from "../../support/temp-directory.ts";
import { isWhole } from "./payload.ts";

const WRITER = fileURLToPath(new URL("writer.ts", import.meta.url));
/** Lower than the number of writes per run, so that the history is compacted too. */
const HISTORY_MAX = 1500;

/** An acknowledged write. */
interface Acknowledged {
  readonly revision: number;
  readonly name: string;
}

/** Repeatedly kills a writing process and checks its data file after each kill. Returns the last revision. */
export async function runKillLoop(kills: number, seed: number): Promise<number> {
  await using directory = await tempDirectory();
  const path = join(directory.path, "data.db");
  const random = seededRandom(seed);
  let before: Left = { revision: 1, records: new Map() };
  for (let run = 0; run < kills; run++) {
    const acknowledged = await killedAfter(randomInt(random, 1, 600), path, seed * 1000 + run);
    before = await inspect(path, before, acknowledged);
  }
  return before.revision;
}

/** Kills the writer after `count` acknowledged writes. Returns all writes acknowledged before it ended. */
async function killedAfter(count: number, path: string, seed: number): Promise<readonly Acknowledged[]> {
  const args = ["-C", "levelset-source", WRITER, path, String(HISTORY_MAX), String(seed)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [revision = "", name = ""] = line.split(" ");
    acknowledged.push({ revision: Number(revision), name });
    if (acknowledged.length === count) child.kill("SIGKILL");
  }
  expect(await ended).toEqual([null, "SIGKILL"]);
  return acknowledged;
}

/** State of a store between two kills. */
interface Left {
  readonly revision: number;
  readonly records: ReadonlyMap<string, StoredRecord>;
}

/**
 * Checks that all acknowledged writes are stored and complete, and that the events lead from the old state to the new.
 */
async function inspect(path: string, before: Left, acknowledged: readonly Acknowledged[]): Promise<Left> {
  const store = await SqliteStore.open({ path, historyMax: HISTORY_MAX });
  const after = (revision: number): readonly StoreEvent[] => {
    const watch = store.watch({}, revision, () => {});
    return watch.kind === "watch" ? watch.take(1_000_000) : [];
  };
  const events = after(before.revision);
  expect(events.map(({ revision }) => revision)).toEqual(count(before.revision + 1, store.revision));
  for (const { revision, name } of acknowledged) {
    expect(events[revision - before.revision - 1]?.record.key.name).toBe(name);
  }
  const latest = Math.max(...acknowledged.map(({ revision }) => revision));
  expect(after(latest).map(({ revision }) => revision)).toEqual(count(latest + 1, store.revision));
  const records = new Map(before.records);
  for (const { kind, record } of events) {
    if (kind === "deleted") records.delete(record.key.name);
    else records.set(record.key.name, record);
  }
  const listing = store.list({ resource: "configmaps" });
  const listed = listing.kind === "listing" ? listing.records : [];
  expect(listed.map(({ json }) => json)).toEqual([...records].toSorted(byName).map(([, { json }]) => json));
  expect(listed.filter(({ object }) => !isWhole(object))).toEqual([]);
  const left = { revision: store.revision, records };
  store.close();
  return left;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function count(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
