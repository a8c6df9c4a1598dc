import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readCheckout } from "./tidy/checkout.ts";
import { RULES } from "./tidy/rules.ts";
import type { SourceTree } from "./tidy/tree.ts";
import { formatViolations } from "./tidy/violation.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
// Without git, as in an unpacked archive, project files cannot be distinguished from others.
const isCheckout = existsSync(join(root, ".git"));

describe.skipIf(!isCheckout)("this tree is tidy", () => {
  const tree: SourceTree = isCheckout ? readCheckout(root) : new Map();

  test("the tree has been read", () => {
    expect([...tree.keys()]).toContain("tools/tidy.test.ts");
  });

  test.for(RULES.map(({ name, check }) => [name, check] as const))("%s", ([, check]) => {
    const violations = check(tree);
    expect(violations.length, `\n${formatViolations(violations)}\n\nnumber of violations`).toBe(0);
  });
});
