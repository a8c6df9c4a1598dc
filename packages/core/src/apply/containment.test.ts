import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deployment, NetworkPolicy } from "../kubernetes/index.ts";
import { deepEqual } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { SCHEMA, ManagedObject } from "./apply.fixture.ts";
import { mergeApplied } from "./merge-applied.ts";
import { containsApplied } from "./containment.ts";
import { objectType } from "./value-type.ts";

const word = fc.constantFrom("a", "b");
const words = fc.dictionary(word, word, { maxKeys: 2 });
const port = fc.record({ port: fc.integer({ min: 1, max: 2 }), name: word }, { requiredKeys: ["port"] });
const spec = fc.record(
  {
    text: word,
    labels: words,
    whole: words,
    list: fc.array(word, { maxLength: 2 }),
    set: fc.uniqueArray(word),
    ports: fc.uniqueArray(port, { selector: (one) => one.port }),
    open: fc.dictionary(word, fc.oneof(word, words), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>; // JSON only

const type = objectType(SCHEMA);

/** Returns the value with a change at a path of fields and list indexes. */
function at(value: JsonValue, path: readonly (string | number)[], change: (old: JsonValue) => JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  // Paths match the values of these tests.
  const members = value as JsonObject;
  const child = at(members[step] ?? null, rest, change);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).with(Number(step), child);
  return { ...members, [step]: child };
}

describe("a value contains an applied one", () => {
  test("right after it was applied, for any previous value", () => {
    fc.assert(
      fc.property(spec, spec, (before, applied) => {
        const history = new ManagedObject();
        history.update("a", before);
        history.apply("b", applied, true);
        expect(containsApplied(type, history.value, { spec: applied })).toBe(true);
      }),
    );
  });

  test("if and only if merging it changes nothing", () => {
    let same = 0;
    fc.assert(
      fc.property(spec, spec, fc.boolean(), (live, applied, isMerged) => {
        const there = { spec: isMerged ? mergeApplied(type, { spec: live }, { spec: applied }) : live };
        const value = isMerged ? there.spec : there;
        const isSame = deepEqual(mergeApplied(type, value, { spec: applied }), value);
        expect(containsApplied(type, value, { spec: applied })).toBe(isSame);
        if (isSame) same++;
      }),
      { numRuns: 500 },
    );
    expect(same).toBeGreaterThan(200);
  });

  const applied = {
    spec: {
      replicas: 0,
      template: {
        spec: {
          containers: [
            {
              name: "app",
              env: [
                { name: "A", value: "1" },
                { name: "B", value: "$(A)" },
              ],
              resources: { limits: { cpu: 0.5, memory: "1024Mi" } },
              ports: [{ containerPort: 80 }],
            },
          ],
        },
      },
    },
  };
  const container = ["spec", "template", "spec", "containers", 0] as const;
  const live = at(applied, container, (old) => ({
    ...(old as JsonObject),
    imagePullPolicy: "Always",
    resources: { limits: { cpu: "500m", memory: "1Gi" } },
    ports: [{ containerPort: 80, protocol: "TCP" }, { containerPort: 81 }],
  }));
  const deployment = objectType(Deployment.schema);

  test("with additions of the server and of others, and with equal quantities in other notations", () => {
    expect(containsApplied(deployment, live, applied)).toBe(true);
  });

  test.each<[string, JsonValue]>([
    ["a number that differs", at(live, ["spec", "replicas"], () => 1)],
    ["a quantity that differs", at(live, [...container, "resources", "limits", "cpu"], () => "501m")],
    ["an item that is missing", at(live, [...container, "ports"], () => [{ containerPort: 81 }])],
    ["items in another order", at(live, [...container, "env"], (old) => (old as readonly JsonValue[]).toReversed())],
    ["a field of another type", at(live, [...container, "env"], () => "none")],
  ])("but not with %s", (_what, value) => {
    expect(containsApplied(deployment, value, applied)).toBe(false);
  });

  test("with only declared defaults added inside atomic values", () => {
    const policy = objectType(NetworkPolicy.schema);
    const rules = { spec: { podSelector: { matchLabels: { app: "a" } }, ingress: [{ ports: [{ port: 80 }] }] } };
    const ingress = (rule: JsonObject): JsonValue => at(rules, ["spec", "ingress", 0], () => rule);
    expect(containsApplied(policy, rules, rules)).toBe(true);
    expect(containsApplied(policy, ingress({ ports: [{ port: 80 }], from: [] }), rules)).toBe(false);
    expect(containsApplied(policy, ingress({ ports: [{ port: 80 }, { port: 81 }] }), rules)).toBe(false);
    const list = {
      type: "array",
      items: { type: "object", properties: { a: { type: "string", default: "x" } } },
    } as const;
    const whole = objectType({ type: "object", properties: { list } });
    expect(containsApplied(whole, { list: [{ a: "x" }] }, { list: [{}] })).toBe(true);
    expect(containsApplied(whole, { list: [{ a: "y" }] }, { list: [{}] })).toBe(false);
  });

  test("with null for absent fields", () => {
    expect(containsApplied(type, { spec: {} }, { spec: { text: null } })).toBe(true);
    expect(containsApplied(type, { spec: { text: "a" } }, { spec: { text: null } })).toBe(false);
  });
});
