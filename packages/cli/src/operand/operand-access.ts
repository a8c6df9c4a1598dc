import { InputError, isConflict, isNotFound, ownerMark, realRandom, silentLogger, StatusError } from "@levelset/core";
import type { JsonObject, ObjectOf } from "@levelset/core";
import { Informer, isServed, Operand, OperandRevision, scrubber } from "@levelset/operator";
import type { ClusterSession } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";

/** An Operand as the cluster has it. */
export type LiveOperand = ObjectOf<typeof Operand>;
/** A version of one that became ready. */
export type LiveRevision = ObjectOf<typeof OperandRevision>;

/** The Operand of this name; undefined when there is none. */
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

/** The Operand of this name. */
export async function getOperand(session: ClusterSession, name: string): Promise<LiveOperand> {
  const found = await findOperand(session, name);
  if (found !== undefined) return found;
  const { client, signal } = session;
  const there = (await client.list(Operand, { signal })).items.map(({ metadata }) => metadata.name);
  throw new InputError(`there is no Operand ${JSON.stringify(name)}`, {
    hint: there.length === 0 ? `levelset operand create ${name} -f … makes one` : `there are ${there.join(", ")}`,
  });
}

/** Watches the Operand of this name once it runs. */
export function operandInformer(name: string, { client }: ClusterSession, { clock }: Shell): Informer<typeof Operand> {
  const selection = { fields: `metadata.name=${name}` };
  return new Informer({ client, kind: Operand, selection, clock, random: realRandom, logger: silentLogger });
}

async function checkServed({ client, signal }: ClusterSession): Promise<void> {
  if (await isServed(client, Operand, { signal })) return;
  throw new InputError("the cluster does not know Operands", {
    hint: "levelset operand run brings their CRDs, and keeps them",
  });
}

/** Whether the server is only asked, and whether fields are taken from others who set them. */
export interface AskOptions {
  readonly dryRun: boolean;
  readonly force: boolean;
}

/** Asks for a set, by server-side apply: what we asked for earlier and no longer do goes back to its default. */
export async function askFor(
  session: ClusterSession,
  name: string,
  spec: JsonObject,
  options: AskOptions,
): Promise<LiveOperand> {
  const { client, signal } = session;
  const body = { metadata: { name }, spec } as never; // checked by the schema; the types of a spec are narrower than JSON
  try {
    return await client.apply(Operand, body, { ...options, signal, fieldValidation: "Strict" });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (isNotFound(error)) await checkServed(session);
    throw explain(error, scrubber([spec])(error.message));
  }
}

function explain(error: StatusError, message: string): Error {
  if (isConflict(error)) {
    return new InputError(`somebody else has set fields of the Operand: ${message}`, {
      hint: "--force-conflicts takes them",
    });
  }
  if (error.reason === "RequestEntityTooLarge" || /too large/iu.test(message)) {
    return new InputError(`the set is larger than the cluster stores in one object: ${message}`, {
      hint: "make several Operands of it",
    });
  }
  return error.reason === "Invalid" || error.reason === "BadRequest" ? new InputError(message) : error;
}

/** The versions of an Operand that became ready and are kept, oldest first. */
export async function revisionsOf(
  { client, signal }: ClusterSession,
  operand: LiveOperand,
): Promise<readonly LiveRevision[]> {
  const labels = Object.entries(ownerMark(operand).labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  const { items } = await client.list(OperandRevision, { labels, signal });
  return items.toSorted((a, b) => Number(a.spec.generation) - Number(b.spec.generation));
}

/** One of them, by its generation. */
export function revisionNumbered(revisions: readonly LiveRevision[], generation: number): LiveRevision {
  const found = revisions.find(({ spec }) => Number(spec.generation) === generation);
  if (found !== undefined) return found;
  const kept = revisions.map(({ spec }) => spec.generation).join(", ");
  throw new InputError(`generation ${generation} is not kept`, {
    hint: kept === "" ? "no version became ready so far, or none is kept" : `there are ${kept}`,
  });
}
