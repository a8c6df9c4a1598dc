import { bug as badImageBlocksRollback } from "./bad-image-blocks-rollback.ts";
import { bug as certificatePairInterrupted } from "./certificate-pair-interrupted.ts";
import { bug as disabledIngressStays } from "./disabled-ingress-stays.ts";
import { bug as expiryWithoutRequeue } from "./expiry-without-requeue.ts";
import { bug as failedWriteReady } from "./failed-write-ready.ts";
import { bug as immutableFieldRefused } from "./immutable-field-refused.ts";
import { bug as lateSecretUnnoticed } from "./late-secret-unnoticed.ts";
import { bug as removedAnnotationStays } from "./removed-annotation-stays.ts";
import { bug as removedRouteStays } from "./removed-route-stays.ts";
import { bug as resizeInterrupted } from "./resize-interrupted.ts";
import { bug as scaleDownLeavesClaims } from "./scale-down-leaves-claims.ts";
import { bug as secretChangeUnnoticed } from "./secret-change-unnoticed.ts";
import { bug as staleDeletionRemovesClaim } from "./stale-deletion-removes-claim.ts";
import { bug as staleRolloutReady } from "./stale-rollout-ready.ts";
import { bug as unchangedHashSkipsRepair } from "./unchanged-hash-skips-repair.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/** All programs with a bug, each with its corrected twin. */
export const BUGS: readonly SimulationBug[] = [
  badImageBlocksRollback,
  certificatePairInterrupted,
  disabledIngressStays,
  expiryWithoutRequeue,
  failedWriteReady,
  immutableFieldRefused,
  lateSecretUnnoticed,
  removedAnnotationStays,
  removedRouteStays,
  resizeInterrupted,
  scaleDownLeavesClaims,
  secretChangeUnnoticed,
  staleDeletionRemovesClaim,
  staleRolloutReady,
  unchangedHashSkipsRepair,
];
