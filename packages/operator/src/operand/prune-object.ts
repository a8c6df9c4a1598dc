import { managerUid } from "@levelset/core";
import type { Kind, KubeObject, OwnerReference } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { liveObject } from "../apply/index.ts";
import { keyOfRef } from "./live-ref.ts";
import type { Discovery } from "../client/index.ts";
import { inventoryReference } from "./body.ts";
import type { LiveRef } from "./live-ref.ts";
import { decidePruning } from "./pruning.ts";
import type { Pruning, Surroundings } from "./pruning.ts";
import { deleteObject, releaseObject } from "./release.ts";
import type { DeleteRefusal, Parting } from "./release.ts";
import { kindOfRef } from "./set-kinds.ts";

/** What came of one object. */
export type Pruned = "released" | "marked" | "deleted" | "gone" | DeleteRefusal;

/** How often an object may change between our look at it and what we do about it. */
const TRIES = 5;

/** Takes the inventories that go off an object, and does with it what is right then: see `decidePruning`. */
export async function pruneObject(
  reach: Reach & { readonly discovery: Discovery },
  ref: LiveRef,
  around: Surroundings,
): Promise<Pruned> {
  const kind = await kindOfRef(ref, reach.discovery, reach.signal);
  // A kind that is no longer served has no objects.
  if (kind === undefined) return "gone";
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const object = await liveObject(reach, kind, keyOfRef(ref));
    if (object === undefined) return "gone";
    const done = await carryOut(decidePruning(ref, object, around), kind, object, around, reach);
    if (done !== "changed") return done;
  }
  return { reason: "Changing", message: "it changes all the time" };
}

/** Does what was decided about this very version of an object, or says that it has changed. */
async function carryOut(
  pruning: Pruning,
  kind: Kind,
  object: KubeObject,
  { going, operandUid: leaves }: Surroundings,
  reach: Reach,
): Promise<Pruned | "changed"> {
  const release = async (parting: Parting, done: Pruned = "released"): Promise<Pruned | "changed"> =>
    (await releaseObject(kind, object, going, parting, reach)) ? done : "changed";
  switch (pruning.kind) {
    case "pass":
      return release({ heir: heirOf(pruning) });
    case "stay":
      return release({ leaves, heir: heirOf(pruning), inherits: pruning.heir && managerUid(pruning.heir) });
    case "mark":
      return release({ pruneAfter: pruning.pruneAfter }, "marked");
    case "delete": {
      const refusal = await deleteObject(kind, object, reach);
      return refusal?.reason === "Conflict" ? "changed" : (refusal ?? "deleted");
    }
  }
}

function heirOf({ heir }: { readonly heir?: KubeObject | undefined }): OwnerReference | undefined {
  return heir === undefined ? undefined : inventoryReference(heir);
}
