import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { keepIgnoredFields } from "./ignore-rules.ts";
import { Operand, operandManager } from "../index.ts";

const REF = { group: "", kind: "ConfigMap", namespace: "default", name: "a" };
const METADATA = { name: "a", namespace: "default" };
const LIVE = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...METADATA, uid: "u", resourceVersion: "1" },
  data: { "a/b": "theirs", c: "theirs" },
  items: ["x", "y"],
};
const BODY = { metadata: METADATA, data: { "a/b": "ours", c: "ours" }, items: ["1", "2"] };

describe("ignored fields", () => {
  test.for([
    ["/data/a~1b", { ...BODY, data: { "a/b": "theirs", c: "ours" } }],
    ["/items/1", { ...BODY, items: ["1", "y"] }],
    ["/items/", BODY],
    ["/items/-", BODY],
    ["/items/2", BODY],
    ["/data/constructor", BODY],
    ["/nothing/at/all", BODY],
  ] as const)("keep their live values: %s", ([pointer, expected]) => {
    expect(keepIgnoredFields(BODY, LIVE, REF, [{ fields: [pointer] }])).toEqual(expected);
  });

  test.for([
    [{ kind: "ConfigMap" }, true],
    [{ kind: "Secret" }, false],
    [{ group: "", name: "a" }, true],
    [{ name: "b" }, false],
    [{ namespace: "other" }, false],
  ] as const)("apply only to objects that the rule selects: %o", ([rule, isAbout]) => {
    const { data } = keepIgnoredFields(BODY, LIVE, REF, [{ ...rule, fields: ["/data/c"] }]);
    expect(data).toEqual({ "a/b": "ours", c: isAbout ? "theirs" : "ours" });
  });

  test("are rejected if invalid, before anything is applied", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    const ignore = [{ fields: ["/data/a", "data/a"] }, { fields: ["/a~b", ""] }];
    const steadyState = [{ apiVersion: "v1", kind: "ConfigMap", metadata: METADATA }];
    await cluster.apply(Operand, { name: "shop", spec: { steadyState, drift: { ignore } } });
    expect(await cluster.untilSettled(Operand, "shop")).toHaveCondition("OperandInstalled", "False", {
      reason: "InvalidManifest",
      message: [
        `drift.ignore[0].fields[1]: "data/a": a JSON pointer must be empty or begin with '/', at position 0`,
        `drift.ignore[1].fields[0]: "/a~b": in a JSON pointer '~' is written '~0', at position 2`,
        `drift.ignore[1].fields[1]: "": selects the whole object: set the annotation operand.levelset.dev/mode to Ignore instead`,
      ].join("; "),
    });
    expect(await cluster.list(ConfigMap, "default")).toEqual([]);
  });
});
