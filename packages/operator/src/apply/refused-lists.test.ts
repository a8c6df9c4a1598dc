import {
  decodeManagedFields,
  encodeManagedFields,
  FieldSet,
  formatFieldPath,
  objectType,
  toFieldSet,
} from "@levelset/core/apply";
import type { FieldPath, ManagedFieldsOperation } from "@levelset/core/apply";
import { kind, s, Service } from "@levelset/core";
import type { JsonObject, Kind, KubeObject, ManagedFieldsEntry } from "@levelset/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { itemTakeovers } from "./refused-lists.ts";
import type { ItemTakeover } from "./refused-lists.ts";

const OURS = "levelset-shop";

interface Writer {
  readonly manager: string;
  readonly operation?: ManagedFieldsOperation;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly owns: JsonObject;
}

function managersOf(of: Kind, apiVersion: string, writers: readonly Writer[]): readonly ManagedFieldsEntry[] {
  return encodeManagedFields(
    new Map(
      writers.map(({ manager, operation = "Update", subresource = "", owns, ...more }) => [
        `${manager} ${operation}`,
        {
          manager,
          operation,
          apiVersion: more.apiVersion ?? apiVersion,
          subresource,
          time: undefined,
          fields: toFieldSet(objectType(of.schema), owns),
        },
      ]),
    ),
  );
}

/** Returns a Service that our manager applied, and that these writers wrote too. */
function service(spec: JsonObject, writers: readonly Writer[]): KubeObject {
  const ours: Writer = { manager: OURS, operation: "Apply", owns: { metadata: { labels: { ours: "1" } } } };
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "front",
      namespace: "default",
      uid: "u",
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      managedFields: managersOf(Service, "v1", [ours, ...writers]),
    },
    spec,
  } as KubeObject;
}

const [HTTP, ADMIN] = [
  { port: 80, protocol: "TCP" },
  { port: 81, protocol: "TCP" },
];
const BODY = { apiVersion: "v1", kind: "Service", metadata: { name: "front" }, spec: { ports: [{ port: 80 }] } };
const CAUSES = [{ field: "spec.ports[0].name" }];
const EDIT: Writer = { manager: "kubectl-edit", owns: { spec: { ports: [ADMIN] } } };

function takeovers(live: KubeObject, causes = CAUSES, body: JsonObject = BODY): readonly ItemTakeover[] {
  return itemTakeovers({ kind: Service, live, body, manager: OURS, causes });
}

function described(found: readonly ItemTakeover[]): readonly (readonly string[])[] {
  return found.map(({ items }) => items.map(formatFieldPath));
}

const PORT_81 = '.spec.ports[port=81,protocol="TCP"]';

describe("an item is taken over", () => {
  test.each([
    ["of a client that replaced the list", { ports: [ADMIN] }, [EDIT]],
    ["beside a declared one", { ports: [ADMIN, HTTP] }, [EDIT]],
    ["that has no manager", { ports: [ADMIN] }, []],
    [
      "that was ours before, and of which another client owns a field",
      { ports: [ADMIN] },
      [{ manager: "kubectl-edit", owns: { spec: { ports: [{ ...ADMIN, targetPort: 8080 }] } } }],
    ],
  ])("%s", (_, spec, writers) => {
    const found = takeovers(service(spec, writers));
    expect(described(found)).toEqual([[PORT_81]]);
    expect(found[0]?.expected["spec"]).toMatchObject({ ports: [{ port: 80 }] });
    const owners = [...decodeManagedFields(found[0]?.managedFields).values()];
    expect(owners.filter(({ fields }) => [...fields.paths()].some(isPort)).map(({ manager }) => manager)).toEqual([
      OURS,
    ]);
  });
});

function isPort([, list]: FieldPath): boolean {
  return list === "f:ports";
}

describe("an item is left", () => {
  const live = service({ ports: [ADMIN] }, [EDIT]);
  test.each([
    ["if the body declares it", service({ ports: [HTTP] }, [{ ...EDIT, owns: { spec: { ports: [HTTP] } } }])],
    ["of another server-side apply", service({ ports: [ADMIN] }, [{ ...EDIT, operation: "Apply" } as const])],
    [
      "that an apply and another write have",
      service({ ports: [ADMIN] }, [EDIT, { ...EDIT, manager: "mesh", operation: "Apply" }]),
    ],
    ["of another API version", service({ ports: [ADMIN] }, [{ ...EDIT, apiVersion: "v2" }])],
    ["of a subresource", service({ ports: [ADMIN] }, [{ ...EDIT, subresource: "status" }])],
    ["of an object that our manager has not applied", { ...live, metadata: { ...live.metadata, managedFields: [] } }],
    [
      "if managedFields cannot be read",
      { ...live, metadata: { ...live.metadata, managedFields: [{ operation: "Other" }] } },
    ],
  ])("%s", (_, object) => {
    expect(takeovers(object)).toEqual([]);
  });

  test.each([
    ["if no cause names a field", [{}]],
    [
      "if the causes name other fields",
      [{ field: "spec" }, { field: "spec.portsOfOthers[0]" }, { field: "spec.type" }],
    ],
  ])("%s", (_, causes: readonly { readonly field?: string }[]) => {
    expect(takeovers(live, [...causes] as typeof CAUSES)).toEqual([]);
  });

  test.each([
    ["if the body does not declare the list", { ...BODY, spec: {} }],
    ["if the body declares the list as empty", { ...BODY, spec: { ports: [] } }],
    ["if the body does not match the schema", { ...BODY, spec: { ports: [{ port: 80 }], selector: "front" } }],
  ])("%s", (_, body) => {
    expect(takeovers(live, CAUSES, body)).toEqual([]);
  });

  test("of metadata", () => {
    const references = ["a", "b"].map((uid) => ({ apiVersion: "v1", kind: "ConfigMap", name: uid, uid }));
    const owned = { ...live, metadata: { ...live.metadata, ownerReferences: references } };
    const body = { ...BODY, metadata: { name: "front", ownerReferences: references.slice(0, 1) } };
    expect(takeovers(owned, [{ field: "metadata.ownerReferences[0].uid" }], body)).toEqual([]);
  });
});

const part = s.object({ name: s.string(), value: s.string().optional() });
const Listed = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Listed",
  spec: s.object({
    a: s.array(part).keyedBy("name").optional(),
    b: s
      .array(s.object({ name: s.string(), parts: s.array(part).keyedBy("name").optional() }))
      .keyedBy("name")
      .optional(),
  }),
});
const TYPE = objectType(Listed.schema);

const name = fc.constantFrom("p", "q", "r", "s");
const parts = fc.uniqueArray(fc.record({ name, value: fc.constantFrom("1", "2") }), {
  selector: (one) => one.name,
  minLength: 1,
});
const outer = fc.uniqueArray(fc.record({ name, parts }), { selector: (one) => one.name, minLength: 1 });
const spec = fc.record({ a: parts, b: outer });
/** Lists in the notation of causes. */
const LISTS = ["spec.a", "spec.b", "spec.b[].parts"];

type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

function listed(value: Spec, writers: readonly Writer[]): KubeObject {
  const { metadata } = service({}, []);
  const managedFields = managersOf(Listed, "test.levelset.dev/v1", writers);
  return {
    apiVersion: "test.levelset.dev/v1",
    kind: "Listed",
    metadata: { ...metadata, managedFields },
    spec: value,
  } as KubeObject;
}

function fieldsOf(object: JsonObject | KubeObject): FieldSet {
  return toFieldSet(TYPE, { spec: (object as JsonObject)["spec"] ?? {} });
}

function itemsIn(fields: FieldSet): readonly FieldPath[] {
  return [...fields.paths()].filter((path) => path.at(-1)?.startsWith("k:") === true);
}

function listName(path: FieldPath): string {
  const text = path.slice(0, -1).map((element) => (element.startsWith("k:") ? "[]" : `.${element.slice(2)}`));
  return text.join("").slice(1);
}

function textOf(path: FieldPath): string {
  return path.join("/");
}

describe("for any object, body, managers and causes", () => {
  /** A live object with one owner per item and field, a body, and the lists that the causes name. */
  const scenario = fc.record({
    live: spec,
    ours: spec,
    edited: spec,
    applied: fc.oneof({ weight: 2, arbitrary: fc.constant({ a: [], b: [] }) }, { weight: 1, arbitrary: spec }),
    body: spec,
    named: fc.subarray(LISTS, { minLength: 1 }),
  });

  const run = ({
    live,
    ours,
    edited,
    applied,
    body,
    named,
  }: typeof scenario extends fc.Arbitrary<infer T> ? T : never) => {
    const object = listed(live, [
      { manager: OURS, operation: "Apply", owns: { metadata: { labels: { ours: "1" } }, spec: ours } },
      { manager: "kubectl-edit", owns: { spec: edited } },
      { manager: "mesh", operation: "Apply", owns: { spec: applied } },
    ]);
    const desired = { apiVersion: "test.levelset.dev/v1", kind: "Listed", metadata: { name: "front" }, spec: body };
    const causes = named.map((list) => ({ field: `${list.replace("[]", "[1]")}[0].name` }));
    const found = itemTakeovers({ kind: Listed, live: object, body: desired, manager: OURS, causes });
    return { found, object, desired };
  };

  test("only items are taken that the body omits from a list of its own, that a cause names, and that no apply has", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { found, object, desired } = run(given);
        const declared = new Set(itemsIn(fieldsOf(desired)).map(textOf));
        const lists = new Set(itemsIn(fieldsOf(desired)).map((path) => textOf(path.slice(0, -1))));
        const applied = new Set(itemsIn(toFieldSet(TYPE, { spec: given.applied })).map(textOf));
        const present = new Set(itemsIn(fieldsOf(object)).map(textOf));
        for (const taken of found.flatMap(({ items }) => items)) {
          expect(present).toContain(textOf(taken));
          expect(declared).not.toContain(textOf(taken));
          expect(lists).toContain(textOf(taken.slice(0, -1)));
          expect(applied).not.toContain(textOf(taken));
          expect(given.named.some((list) => `${list}[`.startsWith(`${listName(taken)}[`))).toBe(true);
        }
      }),
    );
  });

  test("the expected object has all declared items and keeps all others that were not taken or ours", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { found, object, desired } = run(given);
        const own = itemsIn(toFieldSet(TYPE, { spec: given.ours })).map(textOf);
        for (const { items, expected } of found) {
          const left = new Set(itemsIn(fieldsOf(expected)).map(textOf));
          for (const declared of itemsIn(fieldsOf(desired))) expect(left).toContain(textOf(declared));
          const taken = items.map(textOf);
          for (const item of taken) expect(left).not.toContain(item);
          const isGone = (path: string): boolean =>
            [...taken, ...own].some((one) => path === one || path.startsWith(`${one}/`));
          const kept = itemsIn(fieldsOf(object)).map(textOf);
          for (const path of kept.filter((one) => !isGone(one))) expect(left).toContain(path);
        }
      }),
    );
  });

  test("other managers lose the taken items only, and ours gets them", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { found, object } = run(given);
        const before = decodeManagedFields(object.metadata.managedFields);
        for (const { items, managedFields } of found) {
          const moved = FieldSet.of(...items);
          const after = decodeManagedFields(managedFields);
          for (const [id, { manager, fields }] of before) {
            const left = after.get(id)?.fields ?? FieldSet.empty;
            const isMoved =
              manager === OURS
                ? fields.union(moved).difference(left).isEmpty
                : left.equals(fields.recursiveDifference(moved));
            expect(isMoved).toBe(true);
          }
        }
      }),
    );
  });

  test("lists are tried one by one before all of them", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { found } = run(given);
        const sizes = found.map(({ items }) => new Set(items.map((path) => textOf(path.slice(0, -1)))).size);
        const [last = 0, ...first] = sizes.toReversed();
        expect(first.every((size) => size === 1)).toBe(true);
        expect(last).toBe(first.length === 0 ? Math.min(1, found.length) : first.length);
      }),
    );
  });

  test("the scenarios contain takeovers", () => {
    const all = fc.sample(scenario, { numRuns: 100, seed: 1 }).map((given) => run(given).found.length);
    expect(all.filter((count) => count > 0).length).toBeGreaterThan(20);
    expect(all.filter((count) => count > 1).length).toBeGreaterThan(5);
  });
});
