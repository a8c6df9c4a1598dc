import { writeSync } from "node:fs";
import { SqliteStore } from "@levelset/apiserver";
import type { StoreKey, WriteResult } from "@levelset/apiserver";
import { randomInt } from "@levelset/core/internal";
import type { Random } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { payload } from "./payload.ts";

/** Number of concurrent writes, and of objects. */
const WRITERS = 16;
const NAMES = 40;

const [path = "", historyMax = "", seed = ""] = process.argv.slice(2);
const store = await SqliteStore.open({ path, historyMax: Number(historyMax) });
await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(seededRandom(Number(seed) * WRITERS + index))));

/** Writes until the process is killed. Prints every write after it is acknowledged. */
async function write(random: Random): Promise<never> {
  for (;;) {
    const name = `cm-${randomInt(random, 1, NAMES)}`;
    const result = await change({ resource: "configmaps", namespace: "default", name }, random);
    if (result.kind === "written") writeSync(1, `${result.record.revision} ${name}\n`);
  }
}

function change(key: StoreKey, random: Random): Promise<WriteResult> {
  const current = store.get(key);
  const object = payload(key.name, String(random.next()).repeat(randomInt(random, 1, 400)));
  if (current === undefined) return store.create(key, object);
  return random.next() < 0.2 ? store.delete(key, current.revision) : store.update(key, object, current.revision);
}
