import { bug as badImageBlocksRollback } from "./converges/bad-image-blocks-rollback.ts";
import { bug as certificatePairInterrupted } from "./converges/certificate-pair-interrupted.ts";
import { bug as chargedTwice } from "./once/charged-twice.ts";
import { bug as cleanupByLabel } from "./clean/cleanup-by-label.ts";
import { bug as cleanupNeedsSecret } from "./clean/cleanup-needs-secret.ts";
import { bug as cleanupOfMissingChild } from "./clean/cleanup-of-missing-child.ts";
import { bug as deletedWhileBuilding } from "./clean/deleted-while-building.ts";
import { bug as disabledIngressStays } from "./converges/disabled-ingress-stays.ts";
import { bug as emptyListThrows } from "./defects/empty-list-throws.ts";
import { bug as expiredWhileDown } from "./converges/expired-while-down.ts";
import { bug as expiryWithoutRequeue } from "./converges/expiry-without-requeue.ts";
import { bug as externalIdOnlyInStatus } from "./clean/external-id-only-in-status.ts";
import { bug as failedWriteReady } from "./truth/failed-write-ready.ts";
import { bug as foreignAnnotationRemoved } from "./clean/foreign-annotation-removed.ts";
import { bug as generatedNameDuplicated } from "./once/generated-name-duplicated.ts";
import { bug as immutableFieldRefused } from "./converges/immutable-field-refused.ts";
import { bug as jobRerunAfterTtl } from "./once/job-rerun-after-ttl.ts";
import { bug as lateSecretUnnoticed } from "./converges/late-secret-unnoticed.ts";
import { bug as longNameRefused } from "./defects/long-name-refused.ts";
import { bug as missingInputStorm } from "./quiet/missing-input-storm.ts";
import { bug as orderOfInputs } from "./quiet/order-of-inputs.ts";
import { bug as portNotParsed } from "./defects/port-not-parsed.ts";
import { bug as quantityComparedAsText } from "./quiet/quantity-compared-as-text.ts";
import { bug as readyForever } from "./truth/ready-forever.ts";
import { bug as removedAnnotationStays } from "./converges/removed-annotation-stays.ts";
import { bug as removedRouteStays } from "./converges/removed-route-stays.ts";
import { bug as resizeInterrupted } from "./converges/resize-interrupted.ts";
import { bug as restartRepeatsAnnouncement } from "./once/restart-repeats-announcement.ts";
import { bug as restartResetsSchedule } from "./converges/restart-resets-schedule.ts";
import { bug as sameNameInTwoNamespaces } from "./clean/same-name-in-two-namespaces.ts";
import { bug as scaleDownLeavesClaims } from "./clean/scale-down-leaves-claims.ts";
import { bug as secretChangeUnnoticed } from "./converges/secret-change-unnoticed.ts";
import { bug as staleDeletionRemovesClaim } from "./converges/stale-deletion-removes-claim.ts";
import { bug as staleRolloutReady } from "./truth/stale-rollout-ready.ts";
import { bug as statusRefused } from "./defects/status-refused.ts";
import { bug as stepsUndoEachOther } from "./quiet/steps-undo-each-other.ts";
import { bug as takesOverForeignSecret } from "./clean/takes-over-foreign-secret.ts";
import { bug as timestampInStatus } from "./quiet/timestamp-in-status.ts";
import { bug as unchangedHashSkipsRepair } from "./converges/unchanged-hash-skips-repair.ts";
import { bug as undeclaredRight } from "./defects/undeclared-right.ts";
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
  portNotParsed,
  quantityComparedAsText,
  readyForever,
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
