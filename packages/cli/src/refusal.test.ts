import { InputError, StatusError } from "@levelset/core";
import { expect, test } from "vitest";
import { explainRefusal } from "./refusal.ts";

function hintFor(message: string, file?: string): string | undefined {
  const about = { context: "prod", ...(file === undefined ? {} : { file }) };
  const explained = explainRefusal(new StatusError("Forbidden", message), about);
  return explained instanceof InputError ? explained.hint : undefined;
}

const LEASE = 'leases.coordination.k8s.io "levelset-shop" is forbidden: User "shop" cannot get resource "leases"';
const PODS = 'pods is forbidden: User "shop" cannot list resource "pods"';

test("who lacks rights is told where they come from, and about a Lease which flags name it", () => {
  expect(hintFor(PODS, "shop.ts")).toBe(
    "levelset manifests shop.ts prints the roles that it needs; --namespaces makes do with less",
  );
  expect(hintFor(LEASE, "shop.ts")).toBe(
    "levelset manifests shop.ts prints the roles that it needs; --leader-elect-name and --leader-elect-namespace say which Lease",
  );
  expect(hintFor(PODS)).toBe("ask for them, or choose another --context");
});
