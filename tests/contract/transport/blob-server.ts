import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crdOf, CustomResourceDefinition, realClock, realRandom } from "@levelset/core";
import { Client, connect, loadKubeconfig } from "@levelset/operator";
import { expect } from "vitest";
import { TestProcess } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { Blob } from "./blob.ts";
import type { BlobWrites } from "./blob.ts";
import type { BlobServer } from "./blob-client.ts";

export type StoreKind = "memory" | "durable";

/** `levelset apiserver` in its own process, and a connection to it. */
export interface RunningBlobServer extends BlobServer, AsyncDisposable {
  readonly client: Client;
  /** All output of the process. */
  readonly output: () => string;
}

/** Starts a server with the kind Blob. */
export async function startBlobServer(store: StoreKind): Promise<RunningBlobServer> {
  const directory = await tempDirectory();
  const kubeconfig = join(directory.path, "kubeconfig");
  const data = store === "durable" ? ["--data", join(directory.path, "data.db")] : [];
  const args = [LAUNCHER, "apiserver", "--kubeconfig", kubeconfig, ...data];
  const server = new TestProcess(process.execPath, { args, cwd: ROOT });
  await server.untilOutput(/Ctrl-C stops/u);
  const access = await loadKubeconfig(kubeconfig);
  const ca = (await access.ca?.()) ?? "";
  const { token = "" } = await access.credentials.current();
  const caFile = join(directory.path, "ca.pem");
  writeFileSync(caFile, ca);
  const connection = connect(access);
  const retry = { clock: realClock, random: realRandom };
  const client = new Client({ fetch: connection.fetch, fieldManager: "test", retry });
  await client.create(CustomResourceDefinition, crdOf(Blob));
  await expect.poll(() => client.list(Blob).catch(() => undefined)).toMatchObject({ items: [] });
  return {
    url: access.server,
    ca,
    caFile,
    token,
    kubeconfig,
    client,
    output: () => server.output,
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await server[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Lists all blobs page by page. Returns one line for each that is missing, unknown or has another text. */
export async function listFaults(
  client: Client,
  blobs: readonly BlobWrites[],
  limit: number,
): Promise<readonly string[]> {
  const expected = new Map(blobs.map(({ name, writes }) => [name, writes.at(-1)?.text]));
  const faults: string[] = [];
  for await (const page of client.pages(Blob, { limit })) {
    for (const { metadata, spec } of page.items) {
      if (expected.get(metadata.name) !== spec.text) faults.push(`${metadata.name} has another text`);
      expected.delete(metadata.name);
    }
  }
  return [...faults, ...[...expected.keys()].map((name) => `${name} is missing`)];
}
