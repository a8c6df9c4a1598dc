import { InputError } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { labelProblems, nameProblems, referenceProblems } from "../declaration.ts";
import { DEFAULT_ENTITIES } from "./default-entities.ts";
import { adapterConditionType } from "./kind.ts";
import { readKinds } from "./fleet-kinds.ts";

const A = { kind: "A", plural: "as" };
const B = { kind: "B", plural: "bs" };
const RULE = {
  type: "QuotaValid",
  when: { expression: "statuses.size() > 0" },
  output: { status: { expression: "true" }, reason: { expression: "'R'" }, message: { expression: "'M'" } },
};

/** Returns the error message for entities. */
function refusal(entities: unknown, schemas?: Readonly<Record<string, unknown>>): string {
  try {
    readKinds(entities, schemas);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "";
}

test("the default kinds are those of the HyperFleet clients", () => {
  const kinds = readKinds(DEFAULT_ENTITIES);
  expect(kinds.all.map(({ kind }) => kind)).toEqual(["Cluster", "NodePool", "Channel", "Version", "WifConfig"]);
  expect(kinds.find("Cluster")).toMatchObject({ nameMin: 3, nameMax: 53, parent: undefined });
  expect(kinds.findPlural("nodepools")).toMatchObject({ parent: { kind: "Cluster", onDelete: "cascade" } });
  expect(kinds.childrenOf("Channel").map(({ kind }) => kind)).toEqual(["Version"]);
  expect(kinds.find("Nope")).toBeUndefined();
});

describe("a fleet does not start with", () => {
  test.each<[string, unknown, string]>([
    ["no kinds", [], "must be a list of kinds"],
    ["a value that is not a list", { a: 1 }, "must be a list of kinds"],
    ["an entry that is not an object", ["x"], "entities[0]: must be an object"],
    ["an empty kind", [{ kind: "", plural: "as" }], "entities[0]: kind: is missing"],
    ["an empty plural", [{ kind: "A", plural: "" }], "A: plural: is missing"],
    ["a lowercase kind", [{ kind: "a", plural: "as" }], "kind: must be a name such as"],
    ["a plural that is not a path segment", [{ kind: "A", plural: "a/b" }], "plural: must be a path segment"],
    ["a kind twice", [A, { ...B, kind: "A" }], "A: duplicate kind"],
    ["a plural twice", [A, { ...B, plural: "as" }], "B: duplicate plural as"],
    ["a reserved plural", [{ ...A, plural: "resources" }], "A: the plural resources is reserved"],
    ["an unknown parent", [{ ...A, parent_kind: "X" }], "A: parent_kind: unknown kind X"],
    ["a policy without parent", [{ ...A, on_parent_delete: "cascade" }], "requires parent_kind"],
    ["an unknown policy", [A, { ...B, parent_kind: "A", on_parent_delete: "x" }], "must be restrict or cascade"],
    [
      "a cycle of parents",
      [
        { ...A, parent_kind: "B" },
        { ...B, parent_kind: "A" },
      ],
      "A: parent_kind forms a cycle: A → B → A",
    ],
    ["its own parent", [{ ...A, parent_kind: "A" }], "A: parent_kind forms a cycle: A → A"],
    ["a reference to nothing", [{ ...A, references: [{ ref_type: "x", target_kind: "X" }] }], "unknown target_kind X"],
    [
      "a reference type twice",
      [
        {
          ...A,
          references: [
            { ref_type: "x", target_kind: "A" },
            { ref_type: "x", target_kind: "A" },
          ],
        },
      ],
      "duplicate ref_type x",
    ],
    [
      "max below min",
      [{ ...A, references: [{ ref_type: "x", target_kind: "A", min: 2, max: 1 }] }],
      "max is less than min",
    ],
    ["a reference without type", [{ ...A, references: [{ target_kind: "A" }] }], "references[0].ref_type: is missing"],
    [
      "a cycle of required references",
      [
        { ...A, references: [{ ref_type: "b", target_kind: "B", min: 1 }] },
        { ...B, references: [{ ref_type: "a", target_kind: "A", min: 1 }] },
      ],
      "A: required references form a cycle: A → B → A",
    ],
    ["a required schema without name", [{ ...A, require_spec_schema: true }], "requires spec_schema_name"],
    ["a missing schema", [{ ...A, require_spec_schema: true, spec_schema_name: "S" }], "unknown schema S"],
    ["an adapter twice", [{ ...A, required_adapters: ["x", "x"] }], "required_adapters: duplicate x"],
    [
      "adapters that share a condition",
      [{ ...A, required_adapters: ["a-b", "a_b"] }],
      "two adapters map to the condition ABSuccessful",
    ],
    ["an adapter without name", [{ ...A, required_adapters: ["--"] }], "required_adapters[0]: must be the name"],
    ["adapters that are no list", [{ ...A, required_adapters: "x" }], "required_adapters: must be a list"],
    ["lengths of names out of order", [{ ...A, name_min_len: 5, name_max_len: 4 }], "must be in order"],
    ["an unknown field", [{ ...A, requiredAdapters: [] }], "A: requiredAdapters: unknown field"],
    ["a reserved condition", [{ ...A, conditions: [{ ...RULE, type: "Ready" }] }], "the type Ready is reserved"],
    [
      "the condition of another kind's adapter",
      [
        { ...A, conditions: [{ ...RULE, type: "DnsSuccessful" }] },
        { ...B, required_adapters: ["dns"] },
      ],
      "A: conditions: the type DnsSuccessful is reserved",
    ],
    ["a condition twice", [{ ...A, conditions: [RULE, RULE] }], "conditions: duplicate QuotaValid"],
    ["a lowercase condition", [{ ...A, conditions: [{ ...RULE, type: "quota" }] }], "must be in PascalCase"],
    ["a condition with a long type", [{ ...A, conditions: [{ ...RULE, type: "Q".repeat(101) }] }], "at most 100"],
    [
      "a rule without when",
      [{ ...A, conditions: [{ type: "X", output: RULE.output }] }],
      "conditions[0].when: is missing",
    ],
    [
      "a rule that does not parse",
      [{ ...A, conditions: [{ ...RULE, when: { expression: "a +" } }] }],
      "A: conditions[QuotaValid].when: 1:4: ",
    ],
    [
      "a rule with unknown names",
      [{ ...A, conditions: [{ ...RULE, when: { expression: "statusses.size() > 0" } }] }],
      "undeclared reference to 'statusses'",
    ],
    [
      "a rule of another type",
      [{ ...A, conditions: [{ ...RULE, when: { expression: "'yes'" } }] }],
      "conditions[QuotaValid].when: must be bool, not string",
    ],
    [
      "an aggregation that does not parse",
      [{ ...A, aggregation: { ready: "self.itmes.size() > 0" } }],
      "undefined field 'itmes'",
    ],
    [
      "an aggregation of another type",
      [{ ...A, aggregation: { available: "1" } }],
      "aggregation.available.status: must be bool, not int",
    ],
    [
      "an aggregation of something else",
      [{ ...A, aggregation: { finalized: "true" } }],
      "aggregation.finalized: unknown field",
    ],
    [
      "a part that is no expression",
      [{ ...A, aggregation: { ready: { reason: 5 } } }],
      "aggregation.ready.reason: must be an expression",
    ],
  ])("%s", (_, entities, message) => {
    expect(refusal(entities)).toContain(message);
  });

  test("several problems, and names all of them", () => {
    const message = refusal([
      { ...A, parent_kind: "X", bogus: 1 },
      { ...B, plural: "resources" },
    ]);
    expect(message).toContain("A: bogus: unknown field");
    expect(message).toContain("A: parent_kind: unknown kind X");
    expect(message).toContain("B: the plural resources is reserved");
  });
});

describe("the schema of a spec", () => {
  const schemas = {
    ClusterSpec: {
      type: "object",
      required: ["region"],
      properties: {
        region: { type: "string" },
        nodes: { type: "array", items: { $ref: "#/components/schemas/Node" } },
      },
    },
    Node: { type: "object", additionalProperties: false, properties: { size: { type: "integer" } } },
  };
  const entity = { ...A, spec_schema_name: "ClusterSpec", require_spec_schema: true };
  const [kind] = readKinds([entity], schemas).all;

  test("reports problems by field", () => {
    expect(kind?.specSchema?.problems({ region: "eu", anything: 1, nodes: [{ size: 3 }] })).toEqual([]);
    expect(kind?.specSchema?.problems({}).map(({ field }) => field)).toEqual(["spec.region"]);
    const wrong = kind?.specSchema?.problems({ region: "eu", nodes: [{ size: "3", colour: "red" }] }) ?? [];
    expect(wrong.map(({ field }) => field)).toEqual(["spec.nodes[0].size", "spec.nodes[0].colour"]);
  });

  test("is rejected at startup if it cannot be validated", () => {
    const bad = { ClusterSpec: { type: "object", properties: { a: { $ref: "#/components/schemas/Nope" } } } };
    expect(refusal([entity], bad)).toContain("A: spec_schema_name: the schema ClusterSpec");
  });
});

describe("declarations", () => {
  const references = [{ ref_type: "peer", target_kind: "B", min: 1, max: 2 }];
  const [cluster] = readKinds([{ ...A, name_min_len: 3, name_max_len: 53, references }, B]).all;
  if (cluster === undefined) throw new TypeError("there is no kind");

  test.each(["", "ab", "A23", "-ab", "ab-", "aé1", "a b", "x".repeat(54)])("the name %j is rejected", (name) => {
    expect(nameProblems(cluster, name)).toMatchObject([{ field: "name" }]);
  });

  test.each(["abc", "c-1", "1a1", "x".repeat(53)])("the name %s is accepted", (name) => {
    expect(nameProblems(cluster, name)).toEqual([]);
  });

  test("labels have the Kubernetes format", () => {
    expect(labelProblems({ a: "", "app.kubernetes.io/name": "X_1.y-z" })).toEqual([]);
    expect(labelProblems({ "a b": "x", c: "y".repeat(64), "/x": "-" }).map(({ field }) => field)).toEqual([
      "labels.a b",
      "labels.c",
      "labels./x",
      "labels./x",
    ]);
  });

  test("references are counted", () => {
    expect(referenceProblems(cluster, { peer: ["a"] })).toEqual([]);
    expect(referenceProblems(cluster, { other: [] }).map(({ field, message }) => [field, message])).toEqual([
      ["references.other", "unknown reference type"],
      ["references.peer", "at least 1 needed, not 0"],
    ]);
    expect(referenceProblems(cluster, { peer: ["a", "b", "c"] })).toMatchObject([{ constraint: "max" }]);
  });

  test("an adapter's condition is named after it", () => {
    expect(["dns", "my-adapter", "adapter1", "a.b_C"].map(adapterConditionType)).toEqual([
      "DnsSuccessful",
      "MyAdapterSuccessful",
      "Adapter1Successful",
      "ABCSuccessful",
    ]);
  });
});
