import { expect, test } from "vitest";
import { data, double, int } from "./encoder.fixture.ts";
import { encodeSwagger } from "./swagger.ts";
import { ProtobufWriter } from "./writer.ts";

const bytes = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

test("a document contains its paths, parameters and definitions", () => {
  const document = {
    swagger: "2.0",
    info: { title: "T", version: "1" },
    paths: {
      "/a": {
        get: {
          operationId: "getA",
          parameters: [
            { name: "body", in: "body", required: true, schema: { $ref: "#/definitions/A" } },
            { name: "q", in: "query", type: "string", uniqueItems: true },
          ],
          responses: { "200": { description: "OK", schema: { type: "string" } } },
          "x-kubernetes-action": "get",
        },
        parameters: [{ name: "name", in: "path", required: true, type: "string" }],
      },
    },
    definitions: { A: { type: "object", required: ["b"], properties: { b: { items: { type: "integer" } } } } },
  };
  const body = data(1, data(1, data(2, "body"), data(3, "body"), int(4, true), data(5, data(1, "#/definitions/A"))));
  const query = data(1, data(2, data(3, data(4, "q"), data(2, "query"), data(6, "string"), int(20, true))));
  const path = data(1, data(2, data(4, data(4, "name"), data(2, "path"), int(1, true), data(5, "string"))));
  const response = data(
    1,
    data(1, "200"),
    data(2, data(1, data(1, "OK"), data(2, data(1, data(22, data(1, "string")))))),
  );
  const operation = data(
    2,
    data(5, "getA"),
    data(8, body),
    data(8, query),
    data(9, response),
    data(13, data(1, "x-kubernetes-action"), data(2, data(2, '"get"'))),
  );
  const item = data(2, data(1, "/a"), data(2, operation, data(9, path)));
  const property = data(1, data(1, "b"), data(2, data(23, data(1, data(22, data(1, "integer"))))));
  const definition = data(1, data(1, "A"), data(2, data(22, data(1, "object")), data(19, "b"), data(25, property)));
  const expected = bytes(data(1, "2.0"), data(2, data(1, "T"), data(2, "1")), data(8, item), data(9, definition));
  expect(Buffer.from(encodeSwagger(document)).toString("hex")).toBe(expected.toString("hex"));
});

test("a schema contains its alternatives, values of any type and extensions", () => {
  const schema = {
    additionalProperties: false,
    enum: ["a", 1],
    uniqueItems: false,
    minimum: 0,
    maxLength: 300,
    items: { additionalProperties: { $ref: "#/definitions/B" } },
    nullable: true,
    "x-kubernetes-list-map-keys": ["k"],
  };
  const items = data(23, data(1, data(21, data(1, data(1, "#/definitions/B")))));
  const expected = bytes(
    data(21, int(2, false)),
    data(20, data(2, '"a"')),
    data(20, data(2, "1")),
    double(9, 0),
    int(11, 300),
    items,
    data(31, data(1, "x-kubernetes-list-map-keys"), data(2, data(2, '["k"]'))),
  );
  const encoded = encodeSwagger({ definitions: { A: schema } });
  expect(Buffer.from(encoded).toString("hex")).toBe(
    Buffer.from(data(9, data(1, data(1, "A"), data(2, expected)))).toString("hex"),
  );
});

test("messages of any length are framed correctly", () => {
  for (const length of [0, 1, 127, 128, 16_383, 16_384, 100_000]) {
    const writer = new ProtobufWriter();
    writer.message(3, () => writer.message(4, () => writer.string(1, "x".repeat(length))));
    const expected = data(3, data(4, data(1, "x".repeat(length))));
    expect(Buffer.compare(Buffer.from(writer.finish()), Buffer.from(expected))).toBe(0);
  }
});
