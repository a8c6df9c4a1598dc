/** Import it for its effect: vitest's `expect` gets the matchers of `@levelset/apiserver/testing`, with their types. */

import { expect } from "vitest";
import type { ConditionStatus } from "@levelset/core";
import { matchers } from "./matchers.ts";
import type { ExpectedCondition } from "./matchers.ts";

/** Registers the levelset matchers with vitest's `expect`, including types. */
declare module "vitest" {
  // Copied from vitest: merged declarations must have identical type parameters.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Passes if the condition Ready is True for the current generation. */
    toBeReady(): R;
    /** Passes if the object has the condition. */
    toHaveCondition(type: string, status: ConditionStatus, expected?: ExpectedCondition): R;
  }
}

expect.extend(matchers);
