import type { SimulationRule } from "@levelset/simulation";

/** The seed that found each bug last time, and the rule that its case violates. */
export const FOUND_AT: Readonly<Record<string, readonly [seed: number, rule: SimulationRule]>> = {
  "bad-image-blocks-rollback": [54, "path-changes-the-end"],
  "certificate-pair-interrupted": [1, "path-changes-the-end"],
  "charged-twice": [1, "external-repeated"],
  "cleanup-by-label": [3, "foreign-touched"],
  "cleanup-needs-secret": [10, "stuck-finalizer"],
  "cleanup-of-missing-child": [1, "stuck-finalizer"],
  "deleted-while-building": [3, "external-left"],
  "disabled-ingress-stays": [10, "path-changes-the-end"],
  "empty-list-throws": [4, "programming-error"],
  "expired-while-down": [52, "path-changes-the-end"],
  "expiry-without-requeue": [2, "path-changes-the-end"],
  "external-id-only-in-status": [9, "external-left"],
  "failed-write-ready": [40, "ready-beside-other-world"],
  "foreign-annotation-removed": [20, "foreign-touched"],
  "generated-name-duplicated": [47, "child-duplicated"],
  "immutable-field-refused": [5, "path-changes-the-end"],
  "job-rerun-after-ttl": [1, "writes-at-rest"],
  "late-secret-unnoticed": [19, "path-changes-the-end"],
  "long-name-refused": [7, "long-name-unhealthy"],
  "missing-input-storm": [4, "hot-loop"],
  "order-of-inputs": [10, "path-changes-the-end"],
  "port-not-parsed": [1, "child-refused"],
  "quantity-compared-as-text": [5, "writes-at-rest"],
  "ready-forever": [2, "path-changes-the-end"],
  "removed-annotation-stays": [6, "path-changes-the-end"],
  "removed-route-stays": [2, "path-changes-the-end"],
  "resize-interrupted": [35, "child-refused"],
  "restart-repeats-announcement": [1, "external-repeated"],
  "restart-resets-schedule": [4, "ready-beside-other-world"],
  "same-name-in-two-namespaces": [7, "hot-loop"],
  "scale-down-leaves-claims": [2, "left-behind"],
  "secret-change-unnoticed": [33, "path-changes-the-end"],
  "stale-deletion-removes-claim": [3, "foreign-touched"],
  "stale-rollout-ready": [2, "ready-before-workload"],
  "status-refused": [2, "status-refused"],
  "takes-over-foreign-secret": [24, "foreign-touched"],
  "timestamp-in-status": [1, "writes-at-rest"],
  "unchanged-hash-skips-repair": [14, "path-changes-the-end"],
  "undeclared-right": [2, "undeclared-right"],
};

/**
 * The bugs that no rule finds. Both steps of `steps-undo-each-other` write in each run, and one run follows a restart: the
 * end is the same, and nothing is written at rest.
 */
export const NOT_FOUND: readonly string[] = ["steps-undo-each-other"];
