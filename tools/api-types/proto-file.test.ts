import { expect, test } from "vitest";
import { parseProtoFile } from "./proto-file.ts";

const PLAIN = { shape: "one", isOneof: false };

test("messages have their fields with number, shape and type", () => {
  const file = parseProtoFile(
    [
      'syntax = "proto2";',
      "package k8s.io.api.example.v1;",
      'import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";',
      "// message Comment {",
      "message Widget {",
      "  // optional string comment = 9;",
      "  optional .k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;",
      "",
      "  repeated Part parts = 3;",
      "  map<string, .k8s.io.apimachinery.pkg.api.resource.Quantity> limits = 12;",
      "}",
      "message Part {",
      "}",
    ].join("\n"),
  );
  expect(file).toEqual({
    package: "k8s.io.api.example.v1",
    messages: new Map([
      [
        "Widget",
        [
          { ...PLAIN, name: "metadata", number: 1, type: ".k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta" },
          { ...PLAIN, name: "parts", number: 3, shape: "list", type: "Part" },
          {
            ...PLAIN,
            name: "limits",
            number: 12,
            shape: "map",
            type: ".k8s.io.apimachinery.pkg.api.resource.Quantity",
          },
        ],
      ],
      ["Part", []],
    ]),
  });
});

test("fields of proto3 have no label, and the alternatives of a oneof are known", () => {
  const file = parseProtoFile(
    [
      'syntax = "proto3";',
      "package openapi.v2;",
      "message Item {",
      "  oneof oneof {",
      "    Schema schema = 1;",
      "    bool boolean = 2;",
      "  }",
      "  google.protobuf.Any value = 3;",
      "  string yaml = 4;",
      "}",
    ].join("\n"),
  );
  expect(file.messages.get("Item")).toEqual([
    { name: "schema", number: 1, shape: "one", type: "Schema", isOneof: true },
    { name: "boolean", number: 2, shape: "one", type: "bool", isOneof: true },
    { ...PLAIN, name: "yaml", number: 4, type: "string" },
  ]);
});
