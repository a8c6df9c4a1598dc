import { InputError } from "@levelset/core";
import { fixedCredentials } from "@levelset/operator";
import type { ClusterAccess } from "@levelset/operator";
import { expect, test } from "vitest";
import { renewedAccess } from "./renewed-access.ts";

function access(token: string, server = "https://a"): ClusterAccess {
  const credentials = fixedCredentials({ token });
  return { server, context: "c", namespace: "default", skipVerification: false, compression: false, credentials };
}

test("credentials stay until they are refused, and are then those that the kubeconfig holds by now", async () => {
  let inFile = "new";
  const { credentials } = renewedAccess(access("old"), () => Promise.resolve(access(inFile)));
  expect(await credentials.current()).toEqual({ token: "old" });
  credentials.reject({ token: "old" });
  expect(await credentials.current()).toEqual({ token: "new" });
  inFile = "newer";
  expect(await credentials.current()).toEqual({ token: "new" });
  credentials.reject({ token: "new" });
  const [one, other] = await Promise.all([credentials.current(), credentials.current()]);
  expect([one, other]).toEqual([{ token: "newer" }, { token: "newer" }]);
});

test.for([
  ["of another server", () => Promise.resolve(access("new", "https://b"))],
  ["of a file that cannot be read", () => Promise.reject(new InputError("half of a file"))],
] as const)("credentials %s are not taken", async ([, read]) => {
  const { credentials } = renewedAccess(access("old"), read);
  credentials.reject({ token: "old" });
  expect(await credentials.current()).toEqual({ token: "old" });
});
