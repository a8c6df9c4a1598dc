// @ts-check
// The embedded server in its own process, from the built packages, for measurement from outside.
// Usage: node --expose-gc apiserver-process.mjs start | serve [DATA]
// Its messages are `ChildMessage` in apiserver-processes.ts.
import { createApiServer, listen, SqliteStore } from "@levelset/apiserver";

/** The second collection frees objects that the first one finalized. */
const COLLECTIONS = 2;

const [mode, data] = process.argv.slice(2);
if (mode === "start") await measureStart();
else await serve();

/** Measures the time from the first call until the first response with content, after the import. */
async function measureStart() {
  const start = performance.now();
  const server = createApiServer();
  const response = await server.fetch(new Request("http://cluster.invalid/api/v1/namespaces"));
  await response.text();
  process.send?.({ kind: "took", ms: performance.now() - start });
  server.close();
  process.disconnect();
}

async function serve() {
  const server = createApiServer(data === undefined ? {} : { store: await SqliteStore.open({ path: data }) });
  const { url, ca, token } = await listen(server);
  process.send?.({ kind: "listening", url, ca, token });
  process.on("message", () => void sendMemory());
  process.once("disconnect", () => process.exit());
}

/** Sends the resident memory after garbage collection. */
async function sendMemory() {
  for (let round = 0; round < COLLECTIONS; round += 1) {
    await globalThis.gc?.({ type: "major", execution: "async", flavor: "last-resort" });
    // Free pages are returned to the system in the background.
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  process.send?.({ kind: "memory", rssBytes: process.memoryUsage.rss() });
}
