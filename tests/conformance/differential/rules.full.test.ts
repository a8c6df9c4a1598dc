import { crdOf, CustomResourceDefinition, kind, s, StatusError } from "@levelset/core";
import type { AnySchema, NewCrd, StructuralSchema } from "@levelset/core/schema";
import { Client, connect, loadKubeconfig } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { startEmbeddedServer } from "../../support/test-server.ts";
import type { TestServer } from "../../support/test-server.ts";

const base = kind({ group: "rules.levelset.dev", version: "v1", kind: "Thing", spec: s.object({}) });

/** Returns a CRD with this field in its spec. `kind()` would reject the invalid ones before a server could. */
function crdWith(field: AnySchema): NewCrd {
  const crd = crdOf(base);
  const versions = crd.spec.versions.map((version) => {
    const schema = version.schema?.openAPIV3Schema;
    const spec: StructuralSchema = { type: "object", properties: { field: field.structural } };
    return { ...version, schema: { openAPIV3Schema: { ...schema, properties: { ...schema?.properties, spec } } } };
  });
  return { ...crd, spec: { ...crd.spec, versions } };
}

async function isAccepted(client: Client, field: AnySchema): Promise<boolean> {
  try {
    await client.create(CustomResourceDefinition, crdWith(field), { dryRun: true });
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.reason === "Invalid") return false;
    throw error;
  }
}

const text = (max: number): ReturnType<typeof s.string> => s.string().max(max);
const FIELDS: Readonly<Record<string, AnySchema>> = {
  "a bounded number": s.int32().rule("self > 0 && self < 10"),
  "a text without bound": s.string().rule("self.size() > 3"),
  "a text compared": s.string().rule("self == 'x' || self.startsWith('y')"),
  "a text matched": s.string().rule("self.matches('^[a-z]+$')"),
  "a text that must be the same": s.string().immutable(),
  "items of a list without bound": s.array(s.string()).rule("self.all(x, x.size() > 1)"),
  "a rule on items without bound": s.array(s.string().rule("self.size() > 1")),
  "items matched, without bound": s.array(s.string()).rule("self.all(x, x.matches('^[a-z]+$'))"),
  "items matched, bounded": s.array(text(50)).max(100).rule("self.all(x, x.matches('^[a-z]+$'))"),
  "pairs of items, without bound": s.array(s.int32()).rule("self.all(x, self.all(y, x + y > 0))"),
  "pairs of items, bounded": s.array(s.int32()).max(100).rule("self.all(x, self.all(y, x + y > 0))"),
  "triples of items, bounded": s
    .array(s.int32())
    .max(1_000)
    .rule("self.all(x, self.all(y, self.all(z, x + y + z > 0)))"),
  "membership in a list": s.array(s.int32()).max(1_000).rule("5 in self && !(6 in self)"),
  "a map's keys": s.map(s.int32()).max(10).rule("self.all(k, k.size() < 10)"),
  "a map of maps": s.map(s.map(s.int32()).max(20)).max(20).rule("self.all(k, self[k].all(j, self[k][j] > 0))"),
  "a unique list, bounded": s.array(text(10)).max(50).rule("self.all(x, self.exists_one(y, x == y))"),
  "a unique list, without bound": s.array(s.string()).rule("self.all(x, self.exists_one(y, x == y))"),
  "a condition": s
    .object({ a: s.int32().optional(), b: s.int32().optional() })
    .rule("has(self.a) ? has(self.b) : true"),
  "a moment": s.dateTime().rule("self > timestamp('2020-01-01T00:00:00Z')"),
  "a duration": s.duration().rule("self < duration('1h')"),
  "a quantity": s.string().max(20).rule("isQuantity(self) && quantity(self).isGreaterThan(quantity('1Gi'))"),
  "an address": s.string().max(50).rule("isIP(self) && ip(self).family() == 4"),
  "a url": s.string().max(200).rule("isURL(self) && url(self).getScheme() == 'https'"),
  "optional chaining": s
    .object({ a: s.map(s.string().max(5)).max(3).optional() })
    .rule("self.?a.orValue({}).size() < 3"),
  "joined texts": s.array(text(20)).max(20).rule("self.join('-').size() < 100"),
  "a nested rule": s.array(s.object({ n: s.array(s.int32().rule("self > 0")).max(50) })).max(50),
  "a cheap message": s.int32().rule("self > 1", { messageExpression: "self > 0 ? 'one' : 'too few'" }),
  "a message from every item": s.array(s.string().rule("self.size() > 1", { messageExpression: "self + ' is short'" })),
  "a message over all items": s
    .array(s.string())
    .rule("self.size() > 1", { messageExpression: "self.map(a, a + a)[0]" }),
  "a message expression that is not a string": s.int32().rule("self > 1", { messageExpression: "self" }),
  "a type error": s.int32().rule("self.size() > 1"),
  "an unknown name": s.int32().rule("other > 1"),
  "a rule that is not a bool": s.int32().rule("self + 1"),
  "a broken rule": s.int32().rule("self >"),
  "the value before, in a list without keys": s.array(s.int32().rule("self >= oldSelf")).max(5),
  "the value before, in a keyed list": s
    .array(s.object({ k: s.string(), v: s.int32().immutable() }))
    .keyedBy("k")
    .max(5),
};

await onRealCluster("CEL rules compared with kube-apiserver", (start) => {
  describe("CEL rules compared with kube-apiserver", () => {
    const targets: TestServer[] = [];
    const clients: Client[] = [];
    const closers: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      for (const target of [await start(), await startEmbeddedServer()]) {
        const connection = connect(await loadKubeconfig(target.kubeconfig));
        targets.push(target);
        clients.push(new Client({ fetch: connection.fetch, fieldManager: "differential" }));
        closers.push(() => connection.close());
      }
    });
    afterAll(async () => {
      for (const close of closers) await close();
      for (const target of targets) await target[Symbol.asyncDispose]();
    });

    test.each(Object.entries(FIELDS))("%s: both accept or both reject the CRD", async (_name, field) => {
      const [real, ours] = await Promise.all(clients.map((client) => isAccepted(client, field)));
      expect(ours).toBe(real);
    });
  });
});
