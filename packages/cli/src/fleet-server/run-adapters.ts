import { InputError, toError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { readSentinelRules, TokenFile } from "@levelset/fleet";
import type { PulseRule } from "@levelset/fleet";
import { FleetClient, FleetProblem } from "@levelset/fleet/client";
import type { FleetClientOptions } from "@levelset/fleet/client";
import { connect } from "@levelset/operator";
import { findCluster } from "../access.ts";
import type { ConfigFlags } from "../config-flags.ts";
import { findFleet } from "../fleet-flags.ts";
import type { FleetFlags, FleetPlace } from "../fleet-flags.ts";
import { explainedByFleet } from "../fleet/index.ts";
import type { Shell } from "../shell.ts";
import { aborted } from "../signals.ts";
import { startAdapters } from "./dev-adapters.ts";
import { fleetWorld, openFleetBroker } from "./fleet-parts.ts";
import { configRequest, readConfig } from "./read-config.ts";

/** Flags of adapters that are written in TypeScript. */
export interface AdaptersFlags extends ConfigFlags, FleetFlags {
  readonly kubeconfig?: string;
  readonly verbose: boolean;
}

/** How long a token is used before its file is read again. */
const TOKEN_MS = 60_000;

/** `levelset fleet adapters`: runs adapters from where they are written, against a fleet and a cluster that run elsewhere. */
export async function runAdapters(paths: readonly string[], flags: AdaptersFlags, shell: Shell): Promise<void> {
  const request = configRequest(flags, shell);
  const config = readConfig(request, shell);
  if (config.broker.kind === "memory") {
    throw new InputError("the broker is memory, which reaches no other process: no pulse would come", {
      hint: "set broker.kind to nats or rabbitmq; levelset dev --adapters runs a whole fleet in one process",
    });
  }
  const place = findFleet(shell, flags);
  if (place === undefined) {
    throw new InputError("no fleet is named", { hint: "name its API with --fleet URL or LEVELSET_FLEET_URL" });
  }
  const signal = shell.signal();
  const world = await fleetWorld(config, flags.verbose, shell);
  const token = tokenOf(flags, shell);
  const rules = readSentinelRules(config, request).map(({ rule }) => rule);
  await mustBeKnown(rules, { ...token, url: place.url, clock: shell.clock }, place, world.logger);
  const { access } = await findCluster(shell, flags);
  const connection = connect(access);
  try {
    // Closed by us, after the runs under way have ended and told so.
    await using broker = await openFleetBroker(config, world, new AbortController().signal);
    const around = { broker, rules, url: place.url, cluster: connection.fetch, world, ...token };
    await using running = await startAdapters(paths, around, shell);
    const posts = running.posts.map(({ adapter, resourceType }) => `${adapter} of ${resourceType}`).join(", ");
    shell.stdout(`adapters ${posts}\nfleet    ${place.url}\ncluster  ${access.server}\n`);
    await aborted(signal);
  } finally {
    await connection.close();
  }
}

/** Throws an InputError if the API refuses us: every pulse would be lost on that. One that is not there yet may come. */
async function mustBeKnown(
  rules: readonly PulseRule[],
  options: FleetClientOptions,
  place: FleetPlace,
  logger: Logger,
): Promise<void> {
  const client = new FleetClient({ ...options, retry: { triesMax: 1 } });
  try {
    for (const { resourceType: plural } of rules.slice(0, 1)) {
      const first = client.collection({ kind: plural, plural }).list({ pageSize: 1 });
      await first.next();
    }
  } catch (error) {
    if (error instanceof FleetProblem && error.kind === "unauthenticated") throw explainedByFleet(error, place);
    logger.warn("the fleet does not answer yet", { url: place.url, message: toError(error).message });
  }
}

/** The token for the API: from a file, which others may replace, or from a variable. */
function tokenOf(
  { fleetTokenFile }: AdaptersFlags,
  { env, clock }: Shell,
): { readonly token?: () => string | Promise<string> } {
  const { LEVELSET_FLEET_TOKEN: given = "", LEVELSET_FLEET_TOKEN_FILE: named = "" } = env;
  const path = fleetTokenFile ?? (given === "" && named !== "" ? named : undefined);
  if (path !== undefined) {
    const file = new TokenFile({ path, cacheMs: TOKEN_MS, clock });
    return { token: () => file.token() };
  }
  return given === "" ? {} : { token: () => given };
}
