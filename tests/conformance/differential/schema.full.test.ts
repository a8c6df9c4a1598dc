import { crdOf, CustomResourceDefinition, kindId, realClock, StatusError } from "@levelset/core";
import { deepEqual, randomInt, stringifyJson } from "@levelset/core/internal";
import type { AnyCustomKind, JsonValue, NewOf } from "@levelset/core";
import { mutateValue, sampleValue, seededRandom } from "@levelset/core/testing";
import { Client, connect, installCrd, loadKubeconfig } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Simple } from "../../../examples/01-simple/simple.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { Bundle, Gateway } from "../../support/rich-kinds.ts";
import { startEmbeddedServer } from "../../support/test-server.ts";
import type { TestServer } from "../../support/test-server.ts";

const KINDS: readonly AnyCustomKind[] = [Simple, Gateway, Bundle];
const RUNS = 2_000;
const SEED = 20_261;
/** Maximum number of differences in a failure. */
const SHOWN = 5;

/** Result for an object: the object as stored, or the rejected fields. */
type Verdict =
  | { readonly kind: "accepted"; readonly spec: JsonValue }
  | { readonly kind: "refused"; readonly fields: readonly string[] }
  | { readonly kind: "unreadable" };

interface Server {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

async function open(target: TestServer): Promise<Server> {
  const connection = connect(await loadKubeconfig(target.kubeconfig));
  const client = new Client({ fetch: connection.fetch, fieldManager: "differential" });
  const close = async (): Promise<void> => {
    await connection.close();
    await target[Symbol.asyncDispose]();
  };
  return { client, close };
}

async function verdict({ client }: Server, kind: AnyCustomKind, spec: JsonValue): Promise<Verdict> {
  const metadata = { name: "sample", ...(kind.scope === "Namespaced" ? { namespace: "default" } : {}) };
  // Often deliberately not of that type.
  const object = { metadata, spec } as NewOf<AnyCustomKind>;
  try {
    const stored = await client.create(kind, object, { dryRun: true, fieldValidation: "Ignore" });
    return { kind: "accepted", spec: stored.spec as JsonValue };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.reason === "BadRequest") return { kind: "unreadable" };
    if (error.reason !== "Invalid") throw error;
    const fields = new Set(error.details?.causes?.map(({ field }) => field ?? ""));
    return { kind: "refused", fields: [...fields].toSorted() };
  }
}

/**
 * Whether two results agree. kube-apiserver reports some errors without a field (`<nil>`: an integer out of range,
 * rules that were not checked), and reports a scale path in addition to the field; the embedded server names the field.
 */
function agree(real: Verdict, ours: Verdict): boolean {
  if (real.kind !== "refused" || ours.kind !== "refused") return deepEqual(real, ours);
  const named = real.fields.filter((field) => field !== "<nil>" && !field.startsWith("."));
  const isVague = real.fields.includes("<nil>");
  const reported = ours.fields.filter((field) => field !== "<nil>");
  return named.every((field) => reported.includes(field)) && (isVague || reported.length === named.length);
}

await onRealCluster("our schemas compared with kube-apiserver", (start) => {
  describe("our schemas compared with kube-apiserver", () => {
    let real: Server;
    let ours: Server;
    beforeAll(async () => {
      real = await open(await start());
      ours = await open(await startEmbeddedServer());
    });
    afterAll(async () => {
      await real.close();
      await ours.close();
    });

    test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
      "the CRD of %s is accepted unchanged",
      async (_name, kind) => {
        for (const { client } of [real, ours]) {
          expect(await installCrd(client, kind, { clock: realClock })).toBe("created");
          const live = await client.get(CustomResourceDefinition, { name: kindId(kind) });
          expect(live.spec).toMatchObject(crdOf(kind).spec);
          expect(live.spec.versions).toEqual(crdOf(kind).spec.versions);
        }
      },
    );

    test(`both servers agree about ${RUNS} random objects: acceptance, fields and stored object`, async () => {
      const random = seededRandom(SEED);
      const differences: string[] = [];
      let accepted = 0;
      for (let run = 0; run < RUNS && differences.length < SHOWN; run++) {
        const kind = KINDS[run % KINDS.length] ?? Simple;
        const schema = kind.schema.properties?.["spec"] ?? {};
        let spec = sampleValue(schema, random);
        for (let left = randomInt(random, 0, 3); left > 0; left--) spec = mutateValue(schema, spec, random);
        const [theirs, mine] = [await verdict(real, kind, spec), await verdict(ours, kind, spec)];
        if (theirs.kind === "accepted") accepted++;
        if (!agree(theirs, mine)) {
          differences.push(
            `${kind.kind} ${stringifyJson(spec)}\n  real: ${stringifyJson(theirs)}\n  ours: ${stringifyJson(mine)}`,
          );
        }
      }
      expect(differences.join("\n")).toBe("");
      // Both accepted and rejected objects must be frequent.
      expect(accepted / RUNS).toBeGreaterThan(0.2);
      expect(accepted / RUNS).toBeLessThan(0.9);
    });
  });
});
