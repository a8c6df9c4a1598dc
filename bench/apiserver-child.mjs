// One of our servers in a process of its own, for measuring from outside: built JavaScript, as it is published, and nothing besides.
// Usage: node --expose-gc apiserver-child.mjs start | serve [DATA]. What it answers is `ChildAnswer` in apiserver-target.ts.
import { createApiServer, listen, SqliteStore } from "@levelset/apiserver";

/** What the first leaves behind goes with the second. */
const COLLECTIONS = 2;

const [mode, data] = process.argv.slice(2);
if (mode === "start") await measureStart();
else await serve();

/** From the first call until the first answer with content, in a process that has only imported the server. */
async function measureStart() {
  const start = performance.now();
  const server = createApiServer();
  const response = await server.fetch(new Request("http://cluster.invalid/api/v1/namespaces"));
  await response.text();
  process.send({ kind: "took", ms: performance.now() - start });
  server.close();
  process.disconnect();
}

async function serve() {
  const server = createApiServer(data === undefined ? {} : { store: await SqliteStore.open({ path: data }) });
  const { url, ca, token } = await listen(server);
  process.send({ kind: "listening", url, ca, token });
  process.on("message", () => void tellMemory());
  process.once("disconnect", () => process.exit());
}

/** What the process takes after a collection. */
async function tellMemory() {
  for (let round = 0; round < COLLECTIONS; round += 1) {
    await globalThis.gc({ type: "major", execution: "async", flavor: "last-resort" });
    // Pages that became free are given back in the background.
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  process.send({ kind: "memory", rssBytes: process.memoryUsage.rss() });
}
