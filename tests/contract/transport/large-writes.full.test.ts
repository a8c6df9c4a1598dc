import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";
import { GO } from "../../../tools/system/system-requirement.ts";
import { onServer } from "../../support/server-process.ts";
import { planWrites } from "./blob.ts";
import type { BlobWrites } from "./blob.ts";
import type { BlobClient } from "./blob-client.ts";
import { listFaults, startBlobServer } from "./blob-server.ts";
import type { StoreKind } from "./blob-server.ts";
import { http2Client, ownClient, undiciClient } from "./node-clients.ts";
import { buildGoClient, curlClient, goClient } from "./program-clients.ts";

/** For each of 16 combinations of client, protocol and store: 10,000 writes. */
const WRITES = 625;
const STORES: readonly StoreKind[] = ["memory", "durable"];

/**
 * Returns the failures of writes that must all be acknowledged, read back over the same connections, and listed
 * afterwards.
 */
async function storeFaults(store: StoreKind, client: BlobClient, seed: number): Promise<readonly string[]> {
  const blobs = planWrites(seed, WRITES);
  await using server = await startBlobServer(store);
  const faults = await client(server, blobs);
  return [...faults, ...(await listFaults(server.client, blobs, 100))];
}

const TOO_LARGE = 20;

/** Returns the errors of a client for writes above the limit and for reads of these objects, with counts. */
async function refusals(client: BlobClient): Promise<readonly (readonly [code: string, count: number])[]> {
  const blobs: readonly BlobWrites[] = Array.from({ length: TOO_LARGE }, (_, index) => {
    const name = `b-${index}`;
    return { name, writes: [{ verb: "create", name, text: "x".repeat(4_000_000) }] };
  });
  await using server = await startBlobServer("memory");
  const faults = await client(server, blobs);
  const codes = faults.map((line) => {
    if (/returned status 413|Request entity too large/u.test(line)) return "413";
    return /returned status 404|not found/u.test(line) ? "404" : line;
  });
  return [...new Set(codes)].toSorted().map((code) => [code, codes.filter((each) => each === code).length]);
}

const REFUSED = [
  ["404", TOO_LARGE],
  ["413", TOO_LARGE],
];

describe.each([
  ["the client of levelset over HTTP/1.1", 1, ownClient],
  ["undici over HTTP/1.1", 2, undiciClient("HTTP/1.1")],
  ["undici over HTTP/2", 3, undiciClient("HTTP/2")],
  ["Node over HTTP/2", 4, http2Client],
  ["curl over HTTP/1.1", 5, curlClient("HTTP/1.1")],
  ["curl over HTTP/2", 6, curlClient("HTTP/2")],
] as const)("by %s", (_, seed, client) => {
  test.each(STORES)("625 writes of 1 byte to 2.9 MB are stored in the %s store", async (store) => {
    expect(await storeFaults(store, client, seed)).toEqual([]);
  });

  test("writes above the limit are rejected with 413", async () => {
    expect(await refusals(client)).toEqual(REFUSED);
  });
});

onServer("by net/http of Go", GO, () =>
  describe("by net/http of Go", () => {
    let directory: TempDirectory;
    let program: string;
    beforeAll(async () => {
      directory = await tempDirectory();
      program = await buildGoClient(directory.path);
    });
    afterAll(() => directory[Symbol.asyncDispose]());

    test.each([
      ["HTTP/1.1", "memory", 7],
      ["HTTP/1.1", "durable", 8],
      ["HTTP/2", "memory", 9],
      ["HTTP/2", "durable", 10],
    ] as const)("over %s 625 writes of 1 byte to 2.9 MB are stored in the %s store", async (protocol, store, seed) => {
      expect(await storeFaults(store, goClient(program, protocol), seed)).toEqual([]);
    });

    test.each(["HTTP/1.1", "HTTP/2"] as const)(
      "over %s writes above the limit are rejected with 413",
      async (protocol) => {
        expect(await refusals(goClient(program, protocol))).toEqual(REFUSED);
      },
    );
  }),
);
