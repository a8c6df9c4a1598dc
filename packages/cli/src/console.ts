import { InputError, realRandom, silentLogger } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { startConsole } from "@levelset/console";
import type { ProcessAnswers, Processes } from "@levelset/console";
import { findCluster, isClusterNamed, kubeconfigFiles } from "./access.ts";
import type { AskedCluster } from "./access.ts";
import { buildClonePages } from "./clone-pages.ts";
import { describeCluster } from "./cluster-session.ts";
import type { ClusterFlags } from "./cluster-session.ts";
import { startWhereItWas } from "./console-place.ts";
import { fleetClient } from "./fleet-connection.ts";
import { findFleet } from "./fleet-flags.ts";
import type { FleetFlags } from "./fleet-flags.ts";
import { RenewedConnection } from "./renewed-connection.ts";
import { askForFigures, askForRuns, describeProcess, findProcesses, isAbout } from "./run-process.ts";
import type { Shell } from "./shell.ts";

/** The console asks again by itself, and says meanwhile that nobody answers. */
const PATIENCE = { retry: { triesMax: 1 }, timeoutMs: 10_000 } as const;

/** What a console is opened with. */
export interface ConsoleFlags extends ClusterFlags, FleetFlags {
  readonly port: number;
  readonly allowActions?: boolean;
}

/** A console that runs, and what to tell people about it. */
export interface OpenConsole extends AsyncDisposable {
  readonly url: string;
  readonly about: readonly string[];
}

/** Opens a console on the cluster and the fleet that flags, or this directory, name. One of them is enough. */
export async function openConsole(flags: ConsoleFlags, shell: Shell): Promise<OpenConsole> {
  const place = findFleet(shell, flags);
  const found = await clusterOrWhyNot(flags, place !== undefined, shell);
  const asked = typeof found === "string" ? undefined : found;
  const connection = asked === undefined ? undefined : connectionTo(asked, flags, shell);
  try {
    const [fleet] = await Promise.all([
      place === undefined ? undefined : fleetClient(place, flags, shell, PATIENCE),
      buildClonePages(),
    ]);
    const options = {
      ...(connection === undefined ? {} : { cluster: connection }),
      ...(fleet === undefined ? {} : { fleet }),
      processes: processesOf(() => connection?.access.server, shell),
      allowActions: flags.allowActions === true,
      clock: shell.clock,
      random: realRandom,
      logger: silentLogger,
    };
    const at = { cwd: shell.cwd, port: flags.port };
    const running = await startWhereItWas(at, (where) => startConsole({ ...options, ...where }));
    return {
      url: running.url,
      about: [
        `console     ${running.url}`,
        `cluster     ${typeof found === "string" ? `none: ${found}` : describeCluster(found)}`,
        ...(place === undefined ? [] : [`fleet       ${place.url}`]),
      ],
      [Symbol.asyncDispose]: async () => {
        await running[Symbol.asyncDispose]();
        await connection?.close();
      },
    };
  } catch (error) {
    await connection?.close();
    throw error;
  }
}

/** The cluster to look at; why there is none if nobody named one and there is a fleet. */
async function clusterOrWhyNot(flags: ClusterFlags, hasFleet: boolean, shell: Shell): Promise<AskedCluster | string> {
  try {
    return await findCluster(shell, flags);
  } catch (error) {
    if (!hasFleet || isClusterNamed(shell, flags) || !(error instanceof InputError)) throw error;
    return error.message;
  }
}

/** A connection that goes on in the same context of the same files when these are replaced, whichever they name as current by then. */
function connectionTo({ access, found }: AskedCluster, flags: ClusterFlags, shell: Shell): RenewedConnection {
  const kubeconfig = found ?? flags.kubeconfig;
  const choice = { ...(kubeconfig === undefined ? {} : { kubeconfig }), context: access.context };
  const files = kubeconfigFiles(shell, choice);
  return new RenewedConnection({ access, files, read: async () => (await findCluster(shell, choice)).access });
}

/** The operators of this machine that work on the cluster, asked for each time: they come and go. */
function processesOf(serverNow: () => string | undefined, shell: Shell): Processes {
  const here = async (): ReturnType<typeof findProcesses> => {
    const all = await findProcesses({}, shell);
    const server = serverNow();
    return server === undefined ? all : all.filter((process) => isAbout(process, server));
  };
  return {
    runs: async (key: ObjectKey | undefined, signal: AbortSignal): Promise<ProcessAnswers> => {
      const { told, silent } = await askForRuns(await here(), key, { clock: shell.clock, signal });
      return {
        told: told.map(({ process, ...runs }) => ({ ...runs, title: describeProcess(process), url: process.url })),
        silent: silent.map(({ process, why }) => ({ title: describeProcess(process), url: process.url, why })),
      };
    },
    figures: async (url: string, signal: AbortSignal): Promise<string | undefined> => {
      const process = (await here()).find((each) => each.url === url);
      return process === undefined ? undefined : askForFigures(process, { clock: shell.clock, signal });
    },
  };
}
