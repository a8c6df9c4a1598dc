import { connect as connectHttp2 } from "node:http2";
import { expect, test } from "vitest";
import { Blob, BLOBS, planWrites } from "./blob.ts";
import { startBlobServer } from "./blob-server.ts";
import type { RunningBlobServer, StoreKind } from "./blob-server.ts";

const WRITES = 100;
const BLOB_PLAN = planWrites(11, WRITES).flatMap(({ writes }) => writes);
const STORES: readonly StoreKind[] = ["memory", "durable"];

/** Writes blobs one after the other, each after the event of the previous one. Returns the texts of the events. */
async function eventTexts(server: RunningBlobServer, events: AsyncIterator<string, void>): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { verb, name, text } of BLOB_PLAN) {
    const key = { namespace: "default", name };
    if (verb === "create") await server.client.create(Blob, { metadata: key, spec: { text } });
    else await server.client.mergePatch(Blob, key, { spec: { text } });
    texts.push((await events.next()).value ?? "the watch ended");
  }
  return texts;
}

test.each(STORES)("a watch over HTTP/1.1 receives whole objects of up to 2.9 MB from the %s store", async (store) => {
  await using server = await startBlobServer(store);
  const { resourceVersion } = await server.client.list(Blob);
  const events = ownEvents(server, resourceVersion);
  expect(await eventTexts(server, events)).toEqual(BLOB_PLAN.map(({ text }) => text));
  await events.return();
});

async function* ownEvents({ client }: RunningBlobServer, resourceVersion: string): AsyncGenerator<string, void> {
  for await (const event of client.watch(Blob, { resourceVersion, timeoutSeconds: 600 })) {
    if (event.type !== "BOOKMARK") yield event.object.spec.text;
  }
}

test.each(STORES)("a watch over HTTP/2 receives whole objects of up to 2.9 MB from the %s store", async (store) => {
  await using server = await startBlobServer(store);
  const { resourceVersion } = await server.client.list(Blob);
  const events = http2Events(server, resourceVersion);
  expect(await eventTexts(server, events)).toEqual(BLOB_PLAN.map(({ text }) => text));
  await events.return();
});

async function* http2Events({ url, ca, token }: RunningBlobServer, from: string): AsyncGenerator<string, void> {
  const session = connectHttp2(url, { ca });
  const path = `${BLOBS}?watch=true&resourceVersion=${from}`;
  const stream = session.request({ ":path": path, authorization: `Bearer ${token}` });
  try {
    let rest = "";
    for await (const piece of stream.setEncoding("utf8")) {
      const lines = `${rest}${piece as string}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield (JSON.parse(line) as { object: { spec: { text: string } } }).object.spec.text;
    }
  } finally {
    session.destroy();
  }
}
