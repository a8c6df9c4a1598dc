import { InputError } from "@levelset/core";
import { toError, whenAborted } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";
import { readSentinelRules } from "@levelset/fleet";
import type { PulseRule } from "@levelset/fleet";
import { FleetClient, FleetApiError } from "@levelset/fleet/client";
import type { FleetClientOptions } from "@levelset/fleet/client";
import { TokenFile } from "@levelset/fleet/server";
import { connect } from "@levelset/operator";
import type { Command } from "commander";
import { findCluster } from "../../cluster/index.ts";
import { addFleetFlags, findFleet } from "../../fleet-location/index.ts";
import type { FleetFlags, FleetLocation } from "../../fleet-location/index.ts";
import { explainFleetError } from "../../fleet/index.ts";
import {
  configRequest,
  fleetWorld,
  openFleetBroker,
  readConfig,
  requireSharedBroker,
  startAdapters,
} from "../../fleet-server/index.ts";
import { addConfigFlags, examples, isVerbose } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

interface AdaptersFlags extends ConfigFlags, FleetFlags {
  readonly kubeconfig?: string;
  readonly verbose: boolean;
}

/** Time until the token file is read again. */
const TOKEN_MS = 60_000;

/** `levelset fleet adapters PATH…`: runs adapters that are written in TypeScript. */
export function addFleetAdaptersCommand(fleet: Command, shell: Shell): void {
  const command = fleet
    .command("adapters")
    .argument("<paths...>", "TypeScript or JavaScript files with adapters as default export")
    .description("run adapters that are written in TypeScript");
  addFleetFlags(addConfigFlags(command))
    .option("--kubeconfig <file>", "kubeconfig file for the adapters (default: as for why)")
    .addHelpText(
      "after",
      "\n--config names the fleet's configuration: the broker and the Sentinel's topics are read from it.",
    )
    .addHelpText("after", examples("levelset fleet adapters adapters.ts -c fleet.yaml --fleet http://127.0.0.1:8000"))
    .action(async (paths: readonly string[], flags: Omit<AdaptersFlags, "verbose">) =>
      runAdapters(paths, { ...flags, verbose: isVerbose(fleet) }, shell),
    );
}

/** Runs TypeScript adapters against a remote fleet and cluster. */
async function runAdapters(paths: readonly string[], flags: AdaptersFlags, shell: Shell): Promise<void> {
  const request = configRequest(flags, shell);
  const config = readConfig(request, shell);
  requireSharedBroker(config.broker, {
    consequence: "no pulses would arrive",
    alternative: "levelset dev --adapters runs a whole fleet in one process",
  });
  const location = findFleet(shell, flags);
  if (location === undefined) {
    throw new InputError("no fleet is configured", {
      hint: "pass the URL of its API with --fleet or LEVELSET_FLEET_URL",
    });
  }
  const signal = shell.signal();
  const world = await fleetWorld(config, flags.verbose, shell);
  const token = tokenOf(flags, shell);
  const rules = readSentinelRules(config, request).map(({ rule }) => rule);
  await checkCredentials(rules, { ...token, url: location.url, clock: shell.clock }, location, world.logger);
  const { access } = await findCluster(shell, flags);
  const connection = connect(access);
  try {
    // Closed after in-flight runs have finished and reported.
    await using broker = await openFleetBroker(config, world, new AbortController().signal);
    const context = { broker, rules, url: location.url, cluster: connection.fetch, world, ...token };
    await using running = await startAdapters(paths, context, shell);
    const names = running.assignments.map(({ adapter, resourceType }) => `${adapter} of ${resourceType}`).join(", ");
    shell.stdout(`adapters ${names}\nfleet    ${location.url}\ncluster  ${access.server}\n`);
    await whenAborted(signal);
  } finally {
    await connection.close();
  }
}

/** Throws an InputError if the API rejects the credentials. An unreachable API only causes a warning. */
async function checkCredentials(
  rules: readonly PulseRule[],
  options: FleetClientOptions,
  location: FleetLocation,
  logger: Logger,
): Promise<void> {
  const client = new FleetClient({ ...options, retry: { triesMax: 1 } });
  try {
    for (const { resourceType: plural } of rules.slice(0, 1)) {
      const first = client.collection({ kind: plural, plural }).list({ pageSize: 1 });
      await first.next();
    }
  } catch (error) {
    if (error instanceof FleetApiError && error.kind === "unauthenticated") throw explainFleetError(error, location);
    logger.warn("cannot reach the fleet yet", { url: location.url, err: toError(error) });
  }
}

/** Returns the token source: a file, which may be rotated, or an environment variable. */
function tokenOf(
  { fleetTokenFile }: AdaptersFlags,
  { env, clock }: Shell,
): { readonly token?: () => string | Promise<string> } {
  const { LEVELSET_FLEET_TOKEN: value = "", LEVELSET_FLEET_TOKEN_FILE: file = "" } = env;
  const path = fleetTokenFile ?? (value === "" && file !== "" ? file : undefined);
  if (path !== undefined) {
    const tokenFile = new TokenFile({ path, cacheMs: TOKEN_MS, clock });
    return { token: () => tokenFile.token() };
  }
  return value === "" ? {} : { token: () => value };
}
