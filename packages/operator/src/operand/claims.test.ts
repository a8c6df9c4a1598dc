import { expect, test } from "vitest";
import { Claims } from "./claims.ts";
import type { ClaimUse } from "./claims.ts";

const ref = (name: string): { readonly group: string; readonly kind: string; readonly name: string } => ({
  group: "",
  kind: "Node",
  name,
});

/** Claims objects until told to end, or not at all. */
function claim(claims: Claims, use: ClaimUse, ...names: readonly string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  return { done: claims.during(use, names.map(ref), () => promise), end: () => resolve(names), fail: reject };
}

test("an object is not deleted while somebody lists it, nor listed while somebody deletes it", async () => {
  const claims = new Claims();
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

test("several may do the same, and the last one that ends lets go", async () => {
  const claims = new Claims();
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
