import { expect, test } from "vitest";
import { parseProtoFile } from "./proto-file.ts";

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
          { name: "metadata", number: 1, shape: "one", type: ".k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta" },
          { name: "parts", number: 3, shape: "list", type: "Part" },
          { name: "limits", number: 12, shape: "map", type: ".k8s.io.apimachinery.pkg.api.resource.Quantity" },
        ],
      ],
      ["Part", []],
    ]),
  });
});
