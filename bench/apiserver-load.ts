import { BenchClient } from "./apiserver-client.ts";
import type { ServerAccess } from "./apiserver-client.ts";

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
const WATCHED = "/api/v1/namespaces/default/secrets";
const TEXT = "x".repeat(2000);
const WARM_UP_MS = 300;
const MEASURE_MS = 1000;
const LISTED = 10_000;
const WATCHES = 1000;
/** Number of connections shared by the watches. */
const WATCH_CONNECTIONS = 20;
const EVENTS = 100;

/** Measures writes per second: creates objects whose names start with `prefix`, then changes them. */
export async function measureWriteThroughput(
  client: BenchClient,
  workers: number,
  prefix: string,
): Promise<{ readonly create: number; readonly update: number }> {
  const names: string[] = [];
  let made = 0;
  const create = await rate(workers, async () => {
    const name = `${prefix}-${made++}`;
    await client.send("POST", CONFIGMAPS, configMap(name, 0));
    names.push(name);
  });
  let changed = 0;
  const update = await rate(workers, async () => {
    // Two workers never change the same object at the same time.
    const name = names[changed++ % names.length] ?? "";
    await client.send("PUT", `${CONFIGMAPS}/${name}`, configMap(name, changed));
  });
  return { create, update };
}

/** Measures calls per second with concurrent workers, after a warm-up. */
async function rate(workers: number, run: () => Promise<void>): Promise<number> {
  const over = new AbortController();
  let done = 0;
  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await run();
      done += 1;
    }
  };
  const working = Promise.all(Array.from({ length: workers }, work));
  await elapsed(WARM_UP_MS);
  const [start, before] = [performance.now(), done];
  await elapsed(MEASURE_MS);
  const result = ((done - before) * 1000) / (performance.now() - start);
  over.abort();
  await working;
  return result;
}

/** Creates the ConfigMaps for the list benchmark on a new server. */
export async function createConfigMaps(server: ServerAccess): Promise<void> {
  await using client = new BenchClient(server, 16);
  await inParallel(LISTED, (index) => client.send("POST", CONFIGMAPS, configMap(`listed-${index}`, 0)));
}

/** Measures the time to list all ConfigMaps, in milliseconds. */
export async function measureListMs(server: ServerAccess): Promise<number> {
  await using client = new BenchClient(server, 1);
  // The connection is opened before the measurement.
  await client.send("GET", "/version");
  const start = performance.now();
  const size = await client.size(CONFIGMAPS);
  const took = performance.now() - start;
  if (size < LISTED * TEXT.length) throw new Error(`the list has only ${size} bytes`);
  return took;
}

/** Measures delivered events per second with 1,000 watches while objects are created. */
export async function measureWatchFanOut(server: ServerAccess): Promise<number> {
  await using watching = new BenchClient(server, WATCH_CONNECTIONS);
  await using writing = new BenchClient(server, 1);
  const expected = WATCHES * EVENTS;
  let seen = 0;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const onChunk = (chunk: Buffer): void => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) seen += 1;
    if (seen >= expected) resolve();
  };
  const first = await writing.send("GET", WATCHED);
  const { metadata } = JSON.parse(first) as { readonly metadata: { readonly resourceVersion: string } };
  const path = `${WATCHED}?watch=true&timeoutSeconds=600&resourceVersion=${metadata.resourceVersion}`;
  await inParallel(WATCHES, () => watching.watch(path, onChunk));
  const start = performance.now();
  for (let index = 0; index < EVENTS; index += 1) {
    await writing.send("POST", WATCHED, JSON.stringify({ metadata: { name: `event-${index}` }, data: {} }));
  }
  await all;
  return (expected * 1000) / (performance.now() - start);
}

async function inParallel(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

function configMap(name: string, value: number): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data: { text: TEXT, value: String(value) },
  });
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
