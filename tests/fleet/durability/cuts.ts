import type { RunningFleet } from "../running-fleet.ts";
import { B } from "../http.ts";
import type { Answer } from "../http.ts";
import { CLUSTER_ADAPTERS, freshName, freshTime, reportBody } from "../user.ts";
import type { FleetUser } from "../user.ts";
import type { WireResource } from "../wire.ts";
import type { CutMoment, CutProxy } from "./cut-proxy.ts";

/** A change whose connection to the database is cut. */
export interface CutMutation {
  readonly name: string;
  /** Makes what the change needs. */
  readonly prepare: (user: FleetUser) => Promise<WireResource>;
  readonly send: (user: FleetUser, prepared: WireResource) => Promise<Answer>;
  /** What shows whether it has happened, and how often: `wanted` once, `prepared` not at all. */
  readonly effect: (user: FleetUser, prepared: WireResource) => Promise<unknown>;
  readonly wanted: unknown;
  /** How many messages to the database it takes at least: one to read where it has to, one to commit. */
  readonly messages: 1 | 2;
}

const cluster = (user: FleetUser): Promise<WireResource> => user.cluster();

async function deleting(user: FleetUser): Promise<WireResource> {
  const made = await user.cluster();
  await user.pool(made.id);
  return (await user.http.delete(made.href)).resource;
}

async function almostGone(user: FleetUser): Promise<WireResource> {
  const made = await user.cluster();
  const deleted = (await user.http.delete(made.href)).resource;
  await user.all(made.id, 2, "False", { finalized: "True", adapters: CLUSTER_ADAPTERS.slice(1) });
  return deleted;
}

async function generation(user: FleetUser, { href }: WireResource): Promise<unknown> {
  const answer = await user.http.get(href);
  return answer.status === 200 ? answer.resource.generation : answer.status;
}

/** How many clusters of the name of another one with `-new` there are. */
async function namesakes(user: FleetUser, { name }: WireResource): Promise<unknown> {
  const search = encodeURIComponent(`name = '${name}-new'`);
  return (await user.http.get(`${B}/clusters?search=${search}`)).resources.total;
}

/** How many reports are in the history. */
async function reports(user: FleetUser, { href }: WireResource): Promise<unknown> {
  const answer = await user.http.get(`${href}/statuses`);
  const history = await user.http.get(`${href}/history`);
  // The journal is a list of entries under `items`.
  return [answer.statuses.total, (history.json as { readonly items: readonly unknown[] }).items.length];
}

/** Every kind of change. */
export const CUT_MUTATIONS: readonly CutMutation[] = [
  {
    name: "create",
    prepare: cluster,
    send: (user, { name }) => user.http.post(`${B}/clusters`, { kind: "Cluster", name: `${name}-new`, spec: {} }),
    effect: namesakes,
    wanted: 1,
    messages: 1,
  },
  {
    name: "patch",
    prepare: cluster,
    send: (user, { href }) => user.http.patch(href, { spec: { changed: freshName() } }),
    effect: generation,
    wanted: 2,
    messages: 2,
  },
  {
    name: "report",
    prepare: cluster,
    send: (user, { href }) => user.http.put(`${href}/statuses`, reportBody("dns", 1, "True", { time: freshTime() })),
    effect: reports,
    wanted: [1, 1],
    messages: 2,
  },
  {
    name: "delete",
    prepare: cluster,
    send: (user, { href }) => user.http.delete(href),
    effect: generation,
    wanted: 2,
    messages: 2,
  },
  {
    name: "force-delete",
    prepare: deleting,
    send: (user, { href }) => user.http.post(`${href}/force-delete`, { reason: "test" }),
    effect: generation,
    wanted: 404,
    messages: 2,
  },
  {
    name: "the last report on what is being deleted",
    prepare: almostGone,
    send: (user, { href }) =>
      user.http.put(`${href}/statuses`, reportBody("validation", 2, "False", { finalized: "True", time: freshTime() })),
    effect: generation,
    wanted: 404,
    messages: 1,
  },
];

/** The messages of a change before which, or after which, the connection is cut; more than any change sends. */
const MESSAGES_MAX = 12;

/**
 * Cuts the connection at the first, the second, … message of a change, until there are no more. Gives what is wrong: a change that was
 * acknowledged and has not happened once, or one that has happened twice. `cuts` counts how often the connection was cut.
 */
export async function cutEverywhere(
  fleet: RunningFleet,
  proxy: CutProxy,
  mutation: CutMutation,
  moment: CutMoment,
): Promise<{ readonly problems: readonly string[]; readonly cuts: number }> {
  const { user } = fleet;
  const problems: string[] = [];
  let cuts = 0;
  for (let at = 1; at <= MESSAGES_MAX; at++) {
    const prepared = await mutation.prepare(user);
    const before = JSON.stringify(await mutation.effect(user, prepared));
    proxy.arm(at, moment);
    const answer = await mutation.send(user, prepared);
    proxy.disarm();
    if (!proxy.hasCut) break;
    cuts += 1;
    const after = JSON.stringify(await mutation.effect(user, prepared));
    const wanted = JSON.stringify(mutation.wanted);
    const isFine = answer.status < 300 ? after === wanted : answer.status === 503 && [before, wanted].includes(after);
    if (!isFine)
      problems.push(`${mutation.name}, ${moment} message ${at}: ${answer.status} ${answer.text}, then ${after}`);
  }
  return { problems, cuts };
}
