import { expect, test } from "vitest";
import { modelNamePrefix, parseGoLists, parseGoStructs } from "./go-structs.ts";

const PLAIN = { isInline: false, isOmitEmpty: false, isOmitZero: false, isPointer: false };

test("struct fields have their JSON name, pointer and omitempty by protobuf number", () => {
  const source = [
    "type Widget struct {",
    '\tmetav1.TypeMeta `json:",inline"`',
    '\t// A comment with `json:"wrong" protobuf:"bytes,9,opt,name=wrong"`.',
    '\tmetav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`',
    '\tReplicas *int32 `json:"replicas,omitempty" protobuf:"varint,2,opt,name=replicas"`',
    '\tHandler `json:",inline" protobuf:"bytes,3,req,name=handler"`',
    '\tPort int32 `json:"port" protobuf:"varint,4,opt,name=port"`',
    '\tRaw []byte `json:"-" protobuf:"bytes,5,opt,name=raw"`',
    '\tAllows bool `protobuf:"bytes,6,opt,name=allows"`',
    '\tSpec Spec `json:"spec,omitzero" protobuf:"bytes,7,opt,name=spec"`',
    "}",
    "",
    "type Names []string",
  ].join("\n");
  expect(parseGoStructs([source])).toEqual(
    new Map([
      [
        "Widget",
        new Map([
          [1, { ...PLAIN, jsonName: "metadata", isOmitEmpty: true }],
          [2, { ...PLAIN, jsonName: "replicas", isOmitEmpty: true, isPointer: true }],
          [3, { ...PLAIN, jsonName: undefined, isInline: true }],
          [4, { ...PLAIN, jsonName: "port" }],
          [5, { ...PLAIN, jsonName: undefined }],
          [6, { ...PLAIN, jsonName: undefined }],
          [7, { ...PLAIN, jsonName: "spec", isOmitZero: true }],
        ]),
      ],
    ]),
  );
});

test("list types are found by name", () => {
  expect(parseGoLists(["type Names []string\n", "type A struct {\n}\n\ntype Parts []Part\n"])).toEqual(
    new Set(["Names", "Parts"]),
  );
});

test("the OpenAPI prefix of a package is that of its model names", () => {
  const source = 'func (in Widget) OpenAPIModelName() string {\n\treturn "io.k8s.api-x.example.v1.Widget"\n}\n';
  expect(modelNamePrefix(source)).toBe("io.k8s.api-x.example.v1");
  expect(modelNamePrefix("")).toBeUndefined();
});
