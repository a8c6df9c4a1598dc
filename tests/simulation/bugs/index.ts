import { bug as badImageBlocksRollback } from "./bad-image-blocks-rollback.ts";
import { bug as certificatePairInterrupted } from "./certificate-pair-interrupted.ts";
import { bug as chargedTwice } from "./charged-twice.ts";
import { bug as cleanupByLabel } from "./cleanup-by-label.ts";
import { bug as cleanupNeedsSecret } from "./cleanup-needs-secret.ts";
import { bug as cleanupOfMissingChild } from "./cleanup-of-missing-child.ts";
import { bug as deletedWhileBuilding } from "./deleted-while-building.ts";
import { bug as disabledIngressStays } from "./disabled-ingress-stays.ts";
import { bug as emptyListThrows } from "./empty-list-throws.ts";
import { bug as expiredWhileDown } from "./expired-while-down.ts";
import { bug as expiryWithoutRequeue } from "./expiry-without-requeue.ts";
import { bug as externalIdOnlyInStatus } from "./external-id-only-in-status.ts";
import { bug as failedWriteReady } from "./failed-write-ready.ts";
import { bug as foreignAnnotationRemoved } from "./foreign-annotation-removed.ts";
import { bug as generatedNameDuplicated } from "./generated-name-duplicated.ts";
import { bug as immutableFieldRefused } from "./immutable-field-refused.ts";
import { bug as jobRerunAfterTtl } from "./job-rerun-after-ttl.ts";
import { bug as lateSecretUnnoticed } from "./late-secret-unnoticed.ts";
import { bug as longNameRefused } from "./long-name-refused.ts";
import { bug as missingInputStorm } from "./missing-input-storm.ts";
import { bug as orderOfInputs } from "./order-of-inputs.ts";
import { bug as quantityComparedAsText } from "./quantity-compared-as-text.ts";
import { bug as removedAnnotationStays } from "./removed-annotation-stays.ts";
import { bug as removedRouteStays } from "./removed-route-stays.ts";
import { bug as resizeInterrupted } from "./resize-interrupted.ts";
import { bug as restartRepeatsAnnouncement } from "./restart-repeats-announcement.ts";
import { bug as restartResetsSchedule } from "./restart-resets-schedule.ts";
import { bug as sameNameInTwoNamespaces } from "./same-name-in-two-namespaces.ts";
import { bug as scaleDownLeavesClaims } from "./scale-down-leaves-claims.ts";
import { bug as secretChangeUnnoticed } from "./secret-change-unnoticed.ts";
import { bug as staleDeletionRemovesClaim } from "./stale-deletion-removes-claim.ts";
import { bug as staleRolloutReady } from "./stale-rollout-ready.ts";
import { bug as statusRefused } from "./status-refused.ts";
import { bug as stepsUndoEachOther } from "./steps-undo-each-other.ts";
import { bug as takesOverForeignSecret } from "./takes-over-foreign-secret.ts";
import { bug as timestampInStatus } from "./timestamp-in-status.ts";
import { bug as unchangedHashSkipsRepair } from "./unchanged-hash-skips-repair.ts";
import { bug as undeclaredRight } from "./undeclared-right.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/** All programs with a bug, each with its corrected twin. */
export const BUGS: readonly SimulationBug[] = [
  badImageBlocksRollback,
  certificatePairInterrupted,
  chargedTwice,
  cleanupByLabel,
  cleanupNeedsSecret,
  cleanupOfMissingChild,
  deletedWhileBuilding,
  disabledIngressStays,
  emptyListThrows,
  expiredWhileDown,
  expiryWithoutRequeue,
  externalIdOnlyInStatus,
  failedWriteReady,
  foreignAnnotationRemoved,
  generatedNameDuplicated,
  immutableFieldRefused,
  jobRerunAfterTtl,
  lateSecretUnnoticed,
  longNameRefused,
  missingInputStorm,
  orderOfInputs,
  quantityComparedAsText,
  removedAnnotationStays,
  removedRouteStays,
  resizeInterrupted,
  restartRepeatsAnnouncement,
  restartResetsSchedule,
  sameNameInTwoNamespaces,
  scaleDownLeavesClaims,
  secretChangeUnnoticed,
  staleDeletionRemovesClaim,
  staleRolloutReady,
  statusRefused,
  stepsUndoEachOther,
  takesOverForeignSecret,
  timestampInStatus,
  unchangedHashSkipsRepair,
  undeclaredRight,
];
