import type { SimpleTest } from "@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js";
import { SimpleTestSchema } from "@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js";
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import { getConformanceSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import type { IncrementalTestSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import { toJsonString } from "@bufbuild/protobuf";

/** A case of the suite. */
export interface Case {
  /** `file/section/name`. */
  readonly id: string;
  readonly section: string;
  readonly test: SimpleTest;
  /** Whether its expression, data or result involves protobuf messages or enums. */
  readonly isProtobuf: boolean;
}

const PROTOBUF =
  /cel\.expr\.conformance\.proto|TestAllTypes|objectValue|enumValue|messageType|google\.protobuf\.(?!Timestamp|Duration)/;

/** Returns all cases of the google/cel-spec suite in order. */
export function loadCases(): readonly Case[] {
  const registry = getTestRegistry();
  const collect = (suite: IncrementalTestSuite, path: readonly string[]): readonly Case[] => [
    ...suite.tests.map(({ original, name }) => ({
      id: [...path, name].join("/"),
      section: path.join("/"),
      test: original,
      isProtobuf: PROTOBUF.test(toJsonString(SimpleTestSchema, { ...original, description: "" }, { registry })),
    })),
    ...suite.suites.flatMap((inner) => collect(inner, [...path, inner.name])),
  ];
  return getConformanceSuite().suites.flatMap((file) => collect(file, [file.name]));
}
