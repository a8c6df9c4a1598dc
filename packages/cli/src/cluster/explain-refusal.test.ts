import { InputError, StatusError } from "@levelset/core";
import { expect, test } from "vitest";
import { explainRefusal } from "./explain-refusal.ts";

function hintFor(message: string, file?: string): string | undefined {
  const about = { context: "prod", ...(file === undefined ? {} : { file }) };
  // The server names the resource in the details too: `NewForbidden` in `k8s.io/apimachinery/pkg/api/errors`.
  const details = { kind: message.slice(0, message.search(/[. ]/u)) };
  const explained = explainRefusal(new StatusError("Forbidden", message, { details }), about);
  return explained instanceof InputError ? explained.hint : undefined;
}

const LEASE = 'leases.coordination.k8s.io "levelset-shop" is forbidden: User "shop" cannot get resource "leases"';
const PODS = 'pods is forbidden: User "shop" cannot list resource "pods"';

test("missing permissions cause a hint to the roles, and for a Lease to its flags", () => {
  expect(hintFor(PODS, "shop.ts")).toBe(
    "run levelset manifests shop.ts to print the required roles; --namespaces needs fewer permissions",
  );
  expect(hintFor(LEASE, "shop.ts")).toBe(
    "run levelset manifests shop.ts to print the required roles; --leader-elect-name and --leader-elect-namespace select the Lease",
  );
  expect(hintFor(PODS)).toBe("ask a cluster administrator for them, or pass another --context");
});
