import { controllerReference, isAlreadyExists, isNotFound, StatusError } from "@levelset/core";
import { ownerAnnotations, formatTimestamp } from "@levelset/core/internal";
import type { JsonObject, KubeObject } from "@levelset/core";
import { digestOf } from "../../apply/index.ts";
import { metadataOnly } from "../../client/index.ts";
import { ok, step } from "../../engine/index.ts";
import type { Req, OutputStep, Step } from "../../engine/index.ts";
import { desiredRefs } from "../spec/desired-refs.ts";
import { Operand, OPERAND_GROUP } from "../spec/operand-kinds.ts";
import { OperandRevision } from "./operand-revision.ts";

/** Revisions contain whole specs; only their metadata is cached. */
const Revisions = metadataOnly(OperandRevision);
/** Label on a revision: a hash of the spec. */
const HASH_LABEL = `${OPERAND_GROUP}/spec-hash`;

/**
 * Stores the specs of the latest versions that became ready. Revisions are optional: one that cannot be stored is
 * reported by an event and does not block the Operand.
 */
export function recordStep(promote: OutputStep<unknown>): Step<Operand, undefined> {
  return step(Operand, "Record", {
    uses: [promote],
    owns: [Revisions],
    do: async (req) => {
      try {
        await recordRevision(req);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        req.event({ type: "Warning", reason: "RevisionNotStored", message: error.message });
      }
      return ok();
    },
    // Also with orphan propagation: revisions belong to the Operand alone.
    cleanup: async (req) => {
      for (const revision of req.owned(Revisions)) await deleteRevision(req, revision);
      return ok();
    },
  });
}

async function recordRevision(req: Req<Operand>): Promise<void> {
  const { suspend: _suspend, ...requested } = req.spec;
  const limit = requested.revisionHistoryLimit;
  const hash = digestOf(requested);
  const known = req.owned(Revisions).toSorted((a, b) => generationOf(a) - generationOf(b));
  const isNew = limit > 0 && known.at(-1)?.metadata.labels?.[HASH_LABEL] !== hash;
  if (isNew) await createRevision(req, requested, hash);
  const surplus = known.length + (isNew ? 1 : 0) - limit;
  for (const revision of known.slice(0, Math.max(0, surplus))) await deleteRevision(req, revision);
}

async function createRevision(req: Req<Operand>, requested: JsonObject, hash: string): Promise<void> {
  const { client, object, signal } = req;
  const { generation = 0, name } = object.metadata;
  const mark = ownerAnnotations(object);
  const metadata = {
    name: `${name}-${generation}`,
    ownerReferences: [controllerReference(object)],
    labels: { ...mark.labels, [HASH_LABEL]: hash },
    annotations: mark.annotations,
  };
  const spec = {
    operand: name,
    generation,
    activeOperand: req.status.latestReadyActiveOperand ?? "",
    objects: desiredRefs(object).length,
    time: formatTimestamp(req.clock.now()),
    asked: requested,
  };
  try {
    await client.create(OperandRevision, { metadata, spec }, { signal });
  } catch (error) {
    // Created by an earlier run that did not receive the response.
    if (!isAlreadyExists(error)) throw error;
  }
}

async function deleteRevision({ client, signal }: Req<Operand, never>, { metadata }: KubeObject): Promise<void> {
  const { name, uid, resourceVersion } = metadata;
  try {
    await client.delete(OperandRevision, { name }, { uid, resourceVersion, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns the generation at the end of its name. */
function generationOf({ metadata }: KubeObject): number {
  return Number(metadata.name.slice(metadata.name.lastIndexOf("-") + 1));
}
