import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import file from "../../packages/apiserver/src/api-types/api-types.json" with { type: "json" };
import { decodeProtobuf } from "../../packages/apiserver/src/protobuf/index.ts";
import { onServer } from "../../tests/support/server-process.ts";
import { GO } from "../system/system-requirement.ts";
import { API_TYPES_FILE, collectApiTypes, formatApiTypes } from "./api-types.ts";
import { downloadModules } from "./go-modules.ts";
import type { GoModules } from "./go-modules.ts";
import { servedKinds } from "./served-kinds.ts";

const kinds = Object.entries(file.kinds).flatMap(([apiVersion, names]) =>
  names.split(" ").map((kind) => {
    const [version = "", group = "core"] = apiVersion.split("/").toReversed();
    return { apiVersion, kind, name: `${group}.${version}.${kind}` };
  }),
);

const SUITE = "compared with the Go modules of Kubernetes";

onServer(SUITE, GO, () =>
  describe(SUITE, () => {
    compare();
  }),
);

function compare(): void {
  let modules: GoModules;
  beforeAll(async () => {
    modules = await downloadModules({ env: process.env, cwd: tmpdir() });
  });

  test("the committed data file is generated again byte for byte", async () => {
    const text = formatApiTypes(collectApiTypes(modules, await servedKinds()));
    expect(text).toBe(readFileSync(API_TYPES_FILE, "utf8"));
  });

  test.each(kinds)(
    "$apiVersion $kind with all fields is decoded to the JSON that Go writes",
    ({ apiVersion, name }) => {
      const isDefinition = apiVersion.startsWith("apiextensions.k8s.io/");
      const module = modules.get(isDefinition ? "k8s.io/apiextensions-apiserver" : "k8s.io/api") ?? "";
      const path = join(module, isDefinition ? "pkg/apis/testdata" : "testdata", "HEAD", name);
      const decoded = decodeProtobuf(readFileSync(`${path}.pb`));
      const written: unknown = JSON.parse(readFileSync(`${path}.json`, "utf8"), (key, value: unknown) =>
        key === "managedFields" ? undefined : value,
      );
      expect(decoded).toEqual({ kind: "object", object: written });
    },
  );
}
