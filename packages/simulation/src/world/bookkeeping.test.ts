import { expect, test } from "vitest";
import { isBookkeeping, isOfLease } from "./bookkeeping.ts";

test.each([
  ["/apis/coordination.k8s.io/v1/namespaces/default/leases", true, true],
  ["/apis/coordination.k8s.io/v1/namespaces/default/leases/shop", true, true],
  ["/api/v1/namespaces/default/events", false, true],
  ["/api/v1/namespaces/default/events/shop.17", false, true],
  ["/apis/events.k8s.io/v1/namespaces/default/events", false, true],
  ["/api/v1/events", false, true],
  ["/api/v1/namespaces/leases/pods/shop", false, false],
  ["/api/v1/namespaces/events/configmaps/shop", false, false],
  ["/api/v1/namespaces/events", false, false],
  ["/apis/example.com/v1/namespaces/default/leases/shop", false, false],
])("of %s: Lease %s, bookkeeping %s", (path, lease, bookkeeping) => {
  expect([isOfLease({ path }), isBookkeeping({ path })]).toEqual([lease, bookkeeping]);
});
