import { InputError, isConflict, isNotFound, StatusError } from "@levelset/core";
import { isTooLarge, secretScrubber } from "@levelset/core/internal";
import type { JsonObject, ObjectOf } from "@levelset/core";
import { isServed, listRevisions } from "@levelset/operator/internal";
import { Operand } from "@levelset/operator";
import type { Informer, OperandRevision } from "@levelset/operator";
import type { ClusterSession } from "../cluster/index.ts";

/** An Operand as read from the cluster. */
export type LiveOperand = ObjectOf<typeof Operand>;
/** A version of an Operand that became Ready. */
export type LiveRevision = ObjectOf<typeof OperandRevision>;

/** Returns the Operand, or undefined if it does not exist. */
export async function findOperand(session: ClusterSession, name: string): Promise<LiveOperand | undefined> {
  const { client, signal } = session;
  try {
    return await client.get(Operand, { name }, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await checkServed(session);
    return undefined;
  }
}

/** Returns the Operand. Throws an InputError that lists existing Operands if it does not exist. */
export async function getOperand(session: ClusterSession, name: string): Promise<LiveOperand> {
  const found = await findOperand(session, name);
  if (found !== undefined) return found;
  const { client, signal } = session;
  const existing = (await client.list(Operand, { signal })).items.map(({ metadata }) => metadata.name);
  throw new InputError(`there is no Operand ${JSON.stringify(name)}`, {
    hint:
      existing.length === 0
        ? `levelset operand create ${name} -f … creates one`
        : `existing Operands: ${existing.join(", ")}`,
  });
}

/** Returns an informer for one Operand. */
export function operandInformer(name: string, { cache }: ClusterSession): Informer<typeof Operand> {
  return cache.watch(Operand, { fields: `metadata.name=${name}` });
}

async function checkServed({ client, signal }: ClusterSession): Promise<void> {
  if (await isServed(client, Operand, { signal })) return;
  throw new InputError("the Operand CRDs are not installed", {
    hint: "run levelset operand run, which installs the CRDs",
  });
}

/** Options of {@link applyOperand}: dry run and conflict handling. */
export interface ApplyOperandOptions {
  readonly dryRun: boolean;
  readonly force: boolean;
}

/** Applies an Operand with server-side apply: fields that were applied before and are now omitted are reset. */
export async function applyOperand(
  session: ClusterSession,
  name: string,
  spec: JsonObject,
  options: ApplyOperandOptions,
): Promise<LiveOperand> {
  const { client, signal } = session;
  const body = { metadata: { name }, spec } as never; // checked by the schema; the types of a spec are narrower than JSON
  try {
    return await client.apply(Operand, body, { ...options, signal, fieldValidation: "Strict" });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (isNotFound(error)) await checkServed(session);
    throw explain(error, secretScrubber([spec])(error.message));
  }
}

function explain(error: StatusError, message: string): Error {
  if (isConflict(error)) {
    return new InputError(`field conflict on the Operand: ${message}`, {
      hint: "pass --force-conflicts to take over the fields",
    });
  }
  if (isTooLarge(error)) {
    return new InputError(`the Operand exceeds the size limit of the cluster: ${message}`, {
      hint: "split it into several Operands",
    });
  }
  return error.reason === "Invalid" || error.reason === "BadRequest" ? new InputError(message) : error;
}

/** Returns the retained versions of an Operand, oldest first. */
export async function revisionsOf(
  { client, signal }: ClusterSession,
  operand: LiveOperand,
): Promise<readonly LiveRevision[]> {
  return listRevisions(client, operand, signal);
}

/** Returns the version of a generation. Throws an InputError that lists the retained generations. */
export function revisionByGeneration(revisions: readonly LiveRevision[], generation: number): LiveRevision {
  const found = revisions.find(({ spec }) => Number(spec.generation) === generation);
  if (found !== undefined) return found;
  const retained = revisions.map(({ spec }) => spec.generation).join(", ");
  throw new InputError(`generation ${generation} is not retained`, {
    hint:
      retained === "" ? "no version has become Ready yet, or none is retained" : `retained generations: ${retained}`,
  });
}
