import { deepEqual, stringifyJson } from "@levelset/core/internal";
import type { Fetch, JsonObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { connect, loadKubeconfig } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { startEmbeddedServer } from "../../support/test-server.ts";
import type { TestServer } from "../../support/test-server.ts";
import { builtinCase } from "./apply/builtin-cases.ts";
import { customCase, randomKind } from "./apply/custom-cases.ts";
import { fixedCases } from "./apply/fixed-cases.ts";
import type { Case } from "./apply/operation.ts";
import { schemaChange } from "./apply/schema-change.ts";
import { installCrdAndWait, sendOperation } from "./apply/server.ts";

const BUILTIN_CASES = 300;
const CUSTOM_KINDS = 12;
const CUSTOM_CASES = 420;
/** Number of concurrent cases. */
const CONCURRENCY = 6;
/** Maximum number of differences in a failure. */
const SHOWN = 5;

const desired = process.env["FC_SEED"];
const SEED = desired === "random" ? Math.floor(performance.timeOrigin) % 1_000_000_007 : Number(desired ?? 20_266);

interface Server {
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

async function open(target: TestServer): Promise<Server> {
  const connection = connect(await loadKubeconfig(target.kubeconfig));
  const close = async (): Promise<void> => {
    await connection.close();
    await target[Symbol.asyncDispose]();
  };
  return { fetch: connection.fetch, close };
}

/** Returns the first response of a case in which two servers differ, or undefined. */
async function difference(servers: readonly Server[], one: Case): Promise<string | undefined> {
  const sent: string[] = [];
  for (const operation of one.operations) {
    sent.push(stringifyJson(operation));
    const [real, ours] = await Promise.all(servers.map(({ fetch }) => sendOperation(fetch, one, operation)));
    if (deepEqual(real, ours)) continue;
    return [`${one.title}, ${one.name}`, ...sent, `real: ${stringifyJson(real)}`, `ours: ${stringifyJson(ours)}`].join(
      "\n  ",
    );
  }
  return undefined;
}

async function differences(servers: readonly Server[], cases: readonly Case[]): Promise<string> {
  const found: string[] = [];
  const waiting = [...cases];
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined && found.length < SHOWN; one = waiting.shift()) {
      const text = await difference(servers, one);
      if (text !== undefined) found.push(text);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return found.join("\n\n");
}

await onRealCluster("server-side apply compared with kube-apiserver", (start) => {
  describe(`server-side apply compared with kube-apiserver (FC_SEED=${SEED})`, () => {
    let servers: readonly Server[] = [];
    const installAll = (crd: JsonObject): Promise<unknown> =>
      Promise.all(servers.map(({ fetch }) => installCrdAndWait(fetch, crd)));
    beforeAll(async () => {
      // Owners in these objects never exist. kube-apiserver runs without controllers, so the embedded server runs
      // without garbage collection.
      servers = [await open(await start()), await open(await startEmbeddedServer({ garbageCollector: false }))];
    });
    afterAll(() => Promise.all(servers.map((server) => server.close())));

    test("rejections, shared fields, force, scale and strategic patches have identical results and messages", async () => {
      expect(await differences(servers, fixedCases())).toBe("");
    });

    test(`${BUILTIN_CASES} random histories of built-in objects leave the same objects and owners`, async () => {
      const random = seededRandom(SEED);
      const cases = Array.from({ length: BUILTIN_CASES }, (_, index) => builtinCase(random, `case-${index}`));
      expect(await differences(servers, cases)).toBe("");
    });

    test(`${CUSTOM_CASES} random histories of objects with random schemas leave the same objects and owners`, async () => {
      const random = seededRandom(SEED);
      const kinds = Array.from({ length: CUSTOM_KINDS }, (_, index) => randomKind(random, index));
      for (const { crd } of kinds) await installAll(crd);
      const cases = Array.from({ length: CUSTOM_CASES / CUSTOM_KINDS }, (_, round) =>
        kinds.map((kind, index) => customCase(random, kind, `case-${round}-${index}`)),
      );
      expect(await differences(servers, cases.flat())).toBe("");
    });

    test("field managers are updated when the schema changes from granular to atomic and back", async () => {
      for (const { crd, histories } of schemaChange()) {
        await installAll(crd);
        expect(await differences(servers, histories)).toBe("");
      }
    });
  });
});
