import { expect, test } from "vitest";
import type { BlobWrites } from "./blob.ts";
import { listFaults, startBlobServer } from "./blob-server.ts";
import { http2Client, ownClient } from "./node-clients.ts";

const TEXTS = Array.from({ length: 150 }, (_, index) => String(index).padStart(100_000, "y"));

/**
 * One object that is written repeatedly: on a keep-alive connection, each write starts after the response to the
 * previous one.
 */
function writtenAgain(name: string): BlobWrites {
  return { name, writes: TEXTS.map((text, index) => ({ verb: index === 0 ? "create" : "patch", name, text })) };
}

test("150 writes of 100 KB, one after the other, are all acknowledged over HTTP/1.1 and over HTTP/2", async () => {
  await using server = await startBlobServer("durable");
  const blobs = [writtenAgain("http1"), writtenAgain("http2")] as const;
  expect(await ownClient(server, [blobs[0]])).toEqual([]);
  expect(await http2Client(server, [blobs[1]])).toEqual([]);
  expect(await listFaults(server.client, blobs, 50)).toEqual([]);
});
