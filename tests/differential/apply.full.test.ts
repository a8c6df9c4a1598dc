import { deepEqual, stringifyJson } from "@levelset/core";
import type { Fetch, JsonObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { connect, loadKubeconfig } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { embeddedTarget } from "../support/target.ts";
import type { Target } from "../support/target.ts";
import { builtinCase } from "./apply/builtin-cases.ts";
import { customCase, randomKind } from "./apply/custom-cases.ts";
import { fixedCases } from "./apply/fixed-cases.ts";
import type { Case } from "./apply/operation.ts";
import { schemaChange } from "./apply/schema-change.ts";
import { install, perform } from "./apply/server.ts";

const BUILTIN_CASES = 300;
const CUSTOM_KINDS = 12;
const CUSTOM_CASES = 420;
/** How many cases go on at once. */
const LANES = 6;
/** Differences that a failure shows. */
const SHOWN = 5;

const wanted = process.env["FC_SEED"];
const SEED = wanted === "random" ? Math.floor(performance.timeOrigin) % 1_000_000_007 : Number(wanted ?? 20_266);

interface Server {
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

async function open(target: Target): Promise<Server> {
  const connection = connect(await loadKubeconfig(target.kubeconfig));
  const close = async (): Promise<void> => {
    await connection.close();
    await target[Symbol.asyncDispose]();
  };
  return { fetch: connection.fetch, close };
}

/** The first answer of a case in which two servers differ; undefined when there is none. */
async function difference(servers: readonly Server[], one: Case): Promise<string | undefined> {
  const asked: string[] = [];
  for (const operation of one.operations) {
    asked.push(stringifyJson(operation));
    const [real, ours] = await Promise.all(servers.map(({ fetch }) => perform(fetch, one, operation)));
    if (deepEqual(real, ours)) continue;
    return [`${one.title}, ${one.name}`, ...asked, `real: ${stringifyJson(real)}`, `ours: ${stringifyJson(ours)}`].join(
      "\n  ",
    );
  }
  return undefined;
}

async function differences(servers: readonly Server[], cases: readonly Case[]): Promise<string> {
  const found: string[] = [];
  const waiting = [...cases];
  const lane = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined && found.length < SHOWN; one = waiting.shift()) {
      const told = await difference(servers, one);
      if (told !== undefined) found.push(told);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return found.join("\n\n");
}

await onRealCluster("server-side apply beside a real kube-apiserver", (start) => {
  describe(`server-side apply beside a real kube-apiserver (FC_SEED=${SEED})`, () => {
    let servers: readonly Server[] = [];
    const installAll = (crd: JsonObject): Promise<unknown> =>
      Promise.all(servers.map(({ fetch }) => install(fetch, crd)));
    beforeAll(async () => {
      // Objects here name owners that nobody ever made; a real server without controllers does not mind either.
      servers = [await open(await start()), await open(await embeddedTarget({ garbageCollector: false }))];
    });
    afterAll(() => Promise.all(servers.map((server) => server.close())));

    test("what is refused, shared, forced, scaled and patched strategically comes out the same, to the word", async () => {
      expect(await differences(servers, fixedCases())).toBe("");
    });

    test(`${BUILTIN_CASES} random histories of built-in objects leave the same objects and owners`, async () => {
      const random = seededRandom(SEED);
      const cases = Array.from({ length: BUILTIN_CASES }, (_, index) => builtinCase(random, `case-${index}`));
      expect(await differences(servers, cases)).toBe("");
    }, 120_000);

    test(`${CUSTOM_CASES} random histories of objects with random schemas leave the same objects and owners`, async () => {
      const random = seededRandom(SEED);
      const kinds = Array.from({ length: CUSTOM_KINDS }, (_, index) => randomKind(random, index));
      for (const { crd } of kinds) await installAll(crd);
      const cases = Array.from({ length: CUSTOM_CASES / CUSTOM_KINDS }, (_, round) =>
        kinds.map((kind, index) => customCase(random, kind, `case-${round}-${index}`)),
      );
      expect(await differences(servers, cases.flat())).toBe("");
    }, 120_000);

    test("owners follow a schema that makes parts into a whole, and back", async () => {
      for (const { crd, histories } of schemaChange()) {
        await installAll(crd);
        expect(await differences(servers, histories)).toBe("");
      }
    }, 60_000);
  });
});
