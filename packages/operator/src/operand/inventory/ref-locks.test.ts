import { expect, test } from "vitest";
import { RefLocks } from "./ref-locks.ts";
import type { RefLockMode } from "./ref-locks.ts";

const ref = (name: string): { readonly group: string; readonly kind: string; readonly name: string } => ({
  group: "",
  kind: "Node",
  name,
});

/** Locks objects until the returned function is called, if the lock is free. */
function claim(claims: RefLocks, use: RefLockMode, ...names: readonly string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  return { done: claims.withLock(use, names.map(ref), () => promise), end: () => resolve(names), fail: reject };
}

test("an object is not deleted while it is being listed, nor listed while it is being deleted", async () => {
  const claims = new RefLocks();
  const listing = claim(claims, "list", "a", "b");
  expect(await claim(claims, "delete", "b", "c").done).toBeUndefined();
  listing.end();
  expect(await listing.done).toEqual(["a", "b"]);
  const deleting = claim(claims, "delete", "b", "c");
  expect(await claim(claims, "list", "c").done).toBeUndefined();
  const other = claim(claims, "list", "a");
  other.end();
  expect(await other.done).toEqual(["a"]);
  deleting.end();
  await deleting.done;
  const again = claim(claims, "list", "c");
  again.end();
  expect(await again.done).toEqual(["c"]);
});

test("several holders share a mode, and the last one releases the lock", async () => {
  const claims = new RefLocks();
  const [first, second] = [claim(claims, "list", "a"), claim(claims, "list", "a")];
  first.end();
  await first.done;
  expect(await claim(claims, "delete", "a").done).toBeUndefined();
  second.fail(new Error("cut"));
  await expect(second.done).rejects.toThrow("cut");
  const deleting = claim(claims, "delete", "a");
  deleting.end();
  expect(await deleting.done).toEqual(["a"]);
});
