import { InputError } from "@levelset/core";
import { readSentinelRules, TokenFile } from "@levelset/fleet";
import { connect } from "@levelset/operator";
import { findCluster } from "../access.ts";
import type { ConfigFlags } from "../config-flags.ts";
import { findFleet } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
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
  const connection = connect(await findCluster(shell, flags));
  try {
    // Closed by us, after the runs under way have ended and told so.
    await using broker = await openFleetBroker(config, world, new AbortController().signal);
    const rules = readSentinelRules(config, request).map(({ rule }) => rule);
    const token = tokenOf(flags, shell);
    const around = { broker, rules, url: place.url, cluster: connection.fetch, world, ...token };
    await using running = await startAdapters(paths, around, shell);
    const posts = running.posts.map(({ adapter, resourceType }) => `${adapter} of ${resourceType}`).join(", ");
    shell.stdout(`adapters ${posts}\nfleet    ${place.url}\n`);
    await aborted(signal);
  } finally {
    await connection.close();
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
