import { controllerReference, isAlreadyExists, isNotFound, ownerMark, StatusError, timestamp } from "@levelset/core";
import type { JsonObject, KubeObject } from "@levelset/core";
import { digestOf } from "../apply/index.ts";
import { metadataOnly } from "../client/index.ts";
import { ok, step } from "../step/index.ts";
import type { Req, Source, Step } from "../step/index.ts";
import { desiredRefs } from "./desired-refs.ts";
import { Operand, OPERAND_GROUP } from "./kinds.ts";
import { OperandRevision } from "./operand-revision.ts";

/** Revisions hold whole specs; only their names and hashes are kept in memory. */
const Revisions = metadataOnly(OperandRevision);
/** On a revision: a hash of what was asked for. */
const HASH_LABEL = `${OPERAND_GROUP}/spec-hash`;

/**
 * Keeps what was asked for by the latest versions that became ready. That is of use, but nothing depends on it: a revision that cannot be
 * stored is told in an event and does not hold up the Operand.
 */
export function record(promote: Source<unknown>): Step<Operand, undefined> {
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
    // Also when the Operand is deleted without its dependents: these are ours.
    cleanup: async (req) => {
      for (const revision of req.owned(Revisions)) await deleteRevision(req, revision);
      return ok();
    },
  });
}

async function recordRevision(req: Req<Operand>): Promise<void> {
  const { suspend: _suspend, ...asked } = req.spec;
  const limit = asked.revisionHistoryLimit;
  const hash = digestOf(asked);
  const known = req.owned(Revisions).toSorted((a, b) => generationOf(a) - generationOf(b));
  const isNew = limit > 0 && known.at(-1)?.metadata.labels?.[HASH_LABEL] !== hash;
  if (isNew) await createRevision(req, asked, hash);
  const surplus = known.length + (isNew ? 1 : 0) - limit;
  for (const revision of known.slice(0, Math.max(0, surplus))) await deleteRevision(req, revision);
}

async function createRevision(req: Req<Operand>, asked: JsonObject, hash: string): Promise<void> {
  const { client, object, signal } = req;
  const { generation = 0, name } = object.metadata;
  const mark = ownerMark(object);
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
    time: timestamp(req.clock.now()),
    asked,
  };
  try {
    await client.create(OperandRevision, { metadata, spec }, { signal });
  } catch (error) {
    // Made by a run that did not hear of it.
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

/** The number at the end of its name. */
function generationOf({ metadata }: KubeObject): number {
  return Number(metadata.name.slice(metadata.name.lastIndexOf("-") + 1));
}
