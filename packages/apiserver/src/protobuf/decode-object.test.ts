import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytes, data, entry, envelope, int } from "./encoder.fixture.ts";
import { ProtobufError, decodeProtobuf } from "./index.ts";
import { RECORDED_KUBECTL_REQUESTS } from "./kubectl.fixture.ts";
import { thrownUnlessProtobufError } from "./protobuf-error.fixture.ts";

describe("a recorded kubectl body decodes to the object that kubectl prints:", () => {
  test.each(RECORDED_KUBECTL_REQUESTS)("$command", ({ body, object }) => {
    expect(decodeProtobuf(Buffer.from(body, "base64"))).toEqual({ kind: "object", object });
  });
});

test("metadata is read without managedFields", () => {
  const owner = [data(1, "ConfigMap"), data(3, "o"), data(4, "u-1"), data(5, "v1"), int(6, true), int(7, false)];
  const metadata = data(
    1,
    data(1, "a"),
    data(2),
    data(8, int(1, 0)),
    int(10, 0),
    entry(11, "tier", "x"),
    data(13, ...owner),
    data(14, "example.com/x"),
    data(17, data(1, "kubectl")),
  );
  expect(decodeProtobuf(envelope("v1", "ConfigMap", metadata))).toMatchObject({
    object: {
      metadata: {
        name: "a",
        creationTimestamp: "1970-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 0,
        labels: { tier: "x" },
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u-1", controller: true, blockOwnerDeletion: false },
        ],
        finalizers: ["example.com/x"],
      },
    },
  });
});

test("DeleteOptions are read in every version, and a grace period of 0 counts", () => {
  const options = [int(1, 0), data(2, data(1, "u-1")), data(4, "Background"), data(5, "All")];
  expect(decodeProtobuf(envelope("apps/v1", "DeleteOptions", ...options))).toEqual({
    kind: "object",
    object: {
      apiVersion: "apps/v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
      preconditions: { uid: "u-1" },
      propagationPolicy: "Background",
      dryRun: ["All"],
    },
  });
});

test.each([
  ["examples.levelset.dev/v1", "Widget"],
  ["v2", "ConfigMap"],
  ["v1", "constructor"],
  ["__proto__", "toString"],
])("%s %s is of an unknown kind", (apiVersion, kind) => {
  expect(decodeProtobuf(envelope(apiVersion, kind))).toEqual({ kind: "unknown", objectKind: kind, apiVersion });
});

describe("an envelope is refused", () => {
  const magic = Buffer.from("k8s\0");
  const type = data(1, data(1, "v1"), data(2, "ConfigMap"));
  test.each<[string, Uint8Array, string]>([
    ["when it is empty", bytes(), 'the body does not begin with "k8s" and a zero byte'],
    ["when it is JSON", Buffer.from("{}"), 'the body does not begin with "k8s" and a zero byte'],
    ["without a kind", magic, "Object 'Kind' is missing"],
    ["without a version", bytes(magic, data(1, data(2, "ConfigMap"))), "Object 'apiVersion' is missing"],
    ["around compressed content", bytes(magic, type, data(3, "gzip")), "the object is encoded"],
    ["around JSON", bytes(magic, type, data(4, "application/json")), "the object in the envelope is not protobuf"],
    ["around a number", bytes(magic, type, int(2, 1)), "field 2 has wire type varint where bytes is expected"],
  ])("%s", (_name, body, why) => {
    expect(() => decodeProtobuf(body)).toThrow(ProtobufError);
    expect(() => decodeProtobuf(body)).toThrow(why);
  });
});

test("a recorded body with changed or truncated bytes is decoded, unknown, or rejected", () => {
  const bodies = RECORDED_KUBECTL_REQUESTS.map(({ body }) => Buffer.from(body, "base64"));
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...bodies), damage, fc.nat(), (body, changes, length) => {
      const hostile = Uint8Array.from(body);
      for (const [at, byte] of changes) hostile[at % hostile.length] = byte;
      const end = changes.length === 0 ? length % hostile.length : hostile.length;
      expect(thrownUnlessProtobufError(() => decodeProtobuf(hostile.subarray(0, end)))).toBeUndefined();
    }),
    { numRuns: 5_000 },
  );
});
