import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { withIgnored } from "./drift.ts";
import { Operand, operandManager } from "./index.ts";

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

describe("fields that may differ", () => {
  test.for([
    ["/data/a~1b", { ...BODY, data: { "a/b": "theirs", c: "ours" } }],
    ["/items/1", { ...BODY, items: ["1", "y"] }],
    ["/items/", BODY],
    ["/items/-", BODY],
    ["/items/2", BODY],
    ["/data/constructor", BODY],
    ["/nothing/at/all", BODY],
  ] as const)("stay as they are there: %s", ([pointer, expected]) => {
    expect(withIgnored(BODY, LIVE, REF, [{ fields: [pointer] }])).toEqual(expected);
  });

  test.for([
    [{ kind: "ConfigMap" }, true],
    [{ kind: "Secret" }, false],
    [{ group: "", name: "a" }, true],
    [{ name: "b" }, false],
    [{ namespace: "other" }, false],
  ] as const)("are those of objects that a rule is about: %o", ([rule, isAbout]) => {
    const { data } = withIgnored(BODY, LIVE, REF, [{ ...rule, fields: ["/data/c"] }]);
    expect(data).toEqual({ "a/b": "ours", c: isAbout ? "theirs" : "ours" });
  });

  test("are refused where they cannot be understood, before anything is applied", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    const ignore = [{ fields: ["/data/a", "data/a"] }, { fields: ["/a~b", ""] }];
    const steadyState = [{ apiVersion: "v1", kind: "ConfigMap", metadata: METADATA }];
    await cluster.apply(Operand, { name: "shop", spec: { steadyState, drift: { ignore } } });
    expect(await cluster.settled(Operand, "shop")).toHaveCondition("OperandInstalled", "False", {
      reason: "InvalidManifest",
      message: [
        `drift.ignore[0].fields[1]: "data/a": a JSON pointer is empty or begins with '/', at position 0`,
        `drift.ignore[1].fields[0]: "/a~b": in a JSON pointer '~' is written '~0', at position 2`,
        `drift.ignore[1].fields[1]: "": this is the whole object: say mode Ignore in an annotation of it`,
      ].join("; "),
    });
    expect(await cluster.list(ConfigMap, "default")).toEqual([]);
  });
});
