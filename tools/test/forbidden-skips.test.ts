import { expect, test } from "vitest";
import { forbiddenSkips } from "./forbidden-skips.ts";

const CLUSTER = [
  "a.test.ts > operators > needs kube-apiserver",
  "b.test.ts > needs kubectl",
  "c.test.ts > x > needs go",
];
const OTHERS = [
  "d.test.ts > the console > needs chromium",
  "e.test.ts > fleet > needs postgres and initdb and nats-server",
  "f.test.ts > both > needs kube-apiserver and chromium",
  "g.test.ts > skipped for another reason",
];

test("only tests of a real cluster may be skipped, and only where it may be missing", () => {
  expect(forbiddenSkips([...CLUSTER, ...OTHERS], true)).toEqual(OTHERS);
  expect(forbiddenSkips([...CLUSTER, ...OTHERS], false)).toEqual([...CLUSTER, ...OTHERS]);
});
