import fc from "fast-check";
import { stringifyJson } from "@levelset/core/internal";
import { PATCH_TYPES } from "@levelset/core/internal";
import type { JsonValue, Kind } from "@levelset/core";
import { mutateValue, sampleObject, seededRandom } from "@levelset/core/testing";
import { brokenText, hostileJson, hostileString } from "./malformed-text.ts";

/** A request body and its content type. */
export interface Body {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const TYPES: readonly string[] = [
  "application/json",
  "application/json; charset=utf-8",
  "application/yaml",
  PROTOBUF,
  ...Object.values(PATCH_TYPES),
  "application/apply-patch+cbor",
  "application/cbor",
  "text/html",
  ";;",
  "",
];

/** Generates an object of a kind: valid, with one error, or with hostile content. */
export function objectOf(kind: Kind, name: string): fc.Arbitrary<unknown> {
  const sampled = fc.nat().map((seed): JsonValue => {
    const random = seededRandom(seed);
    const object = sampleObject(kind, random);
    const mutated = seed % 2 === 0 ? object : mutateValue(kind.schema, object, random);
    return seed % 7 === 0 ? mutateValue(kind.schema, mutated, random) : mutated;
  });
  const poisoned = fc.tuple(
    sampled,
    hostileString,
    hostileJson,
    fc.constantFrom("", "metadata", "spec", "data", "status"),
  );
  return fc.oneof(
    { weight: 6, arbitrary: sampled.map((value) => named(value, name)) },
    {
      weight: 2,
      arbitrary: poisoned.map(([value, word, nasty, place]) => named(withField(value, place, word, nasty), name)),
    },
    { weight: 1, arbitrary: hostileJson },
  );
}

/** Renames the object, so that later requests find it. */
function named(value: unknown, name: string): unknown {
  const metadata = fieldOf(value, "metadata");
  return withField(
    value,
    "",
    "metadata",
    typeof metadata === "object" && metadata !== null ? { ...metadata, name } : metadata,
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Adds a field, possibly `__proto__`, to `value`. */
function withField(value: unknown, place: string, word: string, content: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (place === "") return Object.fromEntries([...Object.entries(value), [word, content]]);
  return withField(value, "", place, withField(fieldOf(value, place) ?? {}, "", word, content));
}

const POINTERS: readonly string[] = [
  "",
  "/",
  "/metadata",
  "/metadata/name",
  "/metadata/labels",
  "/metadata/labels/a",
  "/metadata/labels/a~1b",
  "/metadata/finalizers/-",
  "/metadata/finalizers/0",
  "/metadata/managedFields",
  "/spec",
  "/spec/replicas",
  "/spec/template/spec/containers/0",
  "/spec/template/spec/containers/-",
  "/data/x",
  "/status",
  "/status/conditions/99999999999",
  "/__proto__/polluted",
  "/constructor/prototype/polluted",
  "/metadata/__proto__/polluted",
  "/~2",
  "nothing",
];

const operation: fc.Arbitrary<unknown> = fc.record(
  {
    op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "nothing"),
    path: fc.constantFrom(...POINTERS),
    from: fc.constantFrom(...POINTERS),
    value: hostileJson,
  },
  { requiredKeys: ["op"] },
);

const DIRECTIVES: readonly unknown[] = [
  { $patch: "delete" },
  { $patch: "replace", spec: {} },
  { $patch: 7 },
  { metadata: { $retainKeys: ["name"], labels: { $patch: "replace", a: "b" } } },
  { metadata: { finalizers: [null, { $patch: "delete" }], "$deleteFromPrimitiveList/finalizers": ["x"] } },
  { metadata: { "$setElementOrder/finalizers": [[], {}], ownerReferences: [{ $patch: "merge" }] } },
  { spec: { template: { spec: { containers: [{ name: "a", $patch: "delete" }, {}, 5, { name: 5 }] } } } },
  { spec: { "$setElementOrder/ports": [{ port: {} }], ports: [{ $patch: "replace" }, { port: 1 }] } },
];

/** Generates a patch: JSON patch operations or a merge patch. */
function patchOf(kind: Kind, name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.array(operation, { maxLength: 5 }),
    fc.constantFrom(...DIRECTIVES),
    objectOf(kind, name),
    hostileJson,
  );
}

const YAML: readonly string[] = [
  "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\ne: [*d, *d]",
  "&a [*a]",
  "? [a]\n: b",
  "a: !!binary zzz",
  "a: 0o17\nb: .nan\nc: 12:30:45\nd: 2001-01-01",
  "<<: {a: b}\n__proto__: {polluted: 1}",
  "metadata: {name: a}\ndata: &a {b: *a}",
  "metadata: {name: a}\nspec: &a [*a]",
  "--- a\n--- b",
  "\t- x",
  "a: b: c",
];

/** Protobuf with a valid prefix and arbitrary content. */
const protobuf: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from("k8s\0"), bytes])),
  fc
    .tuple(
      fc.constantFrom("v1", "apps/v1", "batch/v1"),
      fc.constantFrom("ConfigMap", "Pod", "Deployment", "Job"),
      fc.uint8Array({ maxLength: 300 }),
    )
    .map(([apiVersion, kind, bytes]) => {
      const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
      return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, bytes)]);
    }),
);

/** A field with bytes. */
function field(number: number, content: Uint8Array): Uint8Array {
  const length =
    content.byteLength < 128 ? [content.byteLength] : [(content.byteLength & 0x7f) | 0x80, content.byteLength >> 7];
  return Buffer.concat([Uint8Array.of(number * 8 + 2, ...length), content]);
}

/** Invalid UTF-8 somewhere in the text. */
function torn(text: string): Uint8Array {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([
    bytes.subarray(0, bytes.length >> 1),
    Uint8Array.of(0xff, 0xc0, 0x80),
    bytes.subarray(bytes.length >> 1),
  ]);
}

/** Generates a body for a request for an object of a kind. */
export function bodyOf(kind: Kind, name: string, method: string): fc.Arbitrary<Body> {
  const isPatch = method === "PATCH";
  const value = isPatch ? patchOf(kind, name) : objectOf(kind, name);
  const json = fc.tuple(value, brokenText, fc.nat(19)).map(([content, broken, chance]): Uint8Array => {
    const text = stringifyJson(content);
    if (chance === 0) return torn(text);
    return Buffer.from(chance < 3 ? broken(text) : text, "utf8");
  });
  const right = isPatch
    ? fc.constantFrom(...TYPES.filter((type) => type.includes("patch")))
    : fc.constantFrom("application/json", "application/json", "application/yaml");
  const type = fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: fc.constantFrom(...TYPES) });
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ type, bytes: json }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant(PROTOBUF), bytes: protobuf }) },
    { weight: 1, arbitrary: fc.record({ type, bytes: fc.constantFrom(...YAML).map((text) => Buffer.from(text)) }) },
  );
}
