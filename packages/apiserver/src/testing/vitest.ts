import { expect } from "vitest";
import type { ConditionStatus } from "@levelset/core";
import { matchers } from "./matchers.ts";
import type { ExpectedCondition } from "./matchers.ts";

/** Importing this file teaches vitest's `expect` the matchers of levelset, for the compiler too. */
declare module "vitest" {
  // vitest's own declaration, repeated to the letter: merged declarations must agree on their type parameters.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The latest spec of the object has been reached. */
    toBeReady(): R;
    /** The object has this condition. */
    toHaveCondition(type: string, status: ConditionStatus, expected?: ExpectedCondition): R;
  }
}

expect.extend(matchers);
