import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundAssets } from "./assets.ts";
import { authoritiesIn, kubeconfigText, writeCredentials, writePrivate } from "./credentials.ts";
import type { Credentials } from "./credentials.ts";
import { Daemon } from "./daemon.ts";
import { EnvtestError, messageOf } from "./errors.ts";
import { apiserverFlags, controllerManagerFlags, etcdFlags } from "./flags.ts";
import { httpsGet } from "./https-get.ts";
import { startWatchdog } from "./watchdog.ts";
import type { Watchdog } from "./watchdog.ts";
import { freePorts } from "./port.ts";
import { NotReadyError, untilReady } from "./until-ready.ts";
import type { Probe } from "./until-ready.ts";

export interface ClusterOptions {
  readonly assets: FoundAssets;
  /** Parent of the cluster's directory; default: the system's temporary directory. */
  readonly directory?: string;
  /** Also run kube-controller-manager: garbage collection, namespaces, service accounts, workloads. */
  readonly controllerManager?: boolean;
  /** Controllers to disable, by their kube-controller-manager names. */
  readonly withoutControllers?: readonly string[];
  /** Whether etcd syncs every write to disk. Default false: it is faster, and the data is disposable. */
  readonly fsync?: boolean;
  /** Cancels the start. A started cluster is stopped with `stop`. */
  readonly signal?: AbortSignal;
  /** Logs process events: a constant message and fields. */
  readonly log?: (message: string, fields: Readonly<Record<string, string | number>>) => void;
}

/** A running control plane on the loopback address. */
export interface RealCluster extends AsyncDisposable {
  readonly url: string;
  /** A bearer token with full access. */
  readonly token: string;
  /** The CA certificate of the server, in PEM. */
  readonly ca: string;
  /** Path of a kubeconfig, readable by its owner only. */
  readonly kubeconfig: string;
  /** The server version, for instance `v1.36.3`. */
  readonly version: string;
  /** Stops the processes and removes their directory. Idempotent. */
  stop(): Promise<void>;
}

/** Started processes and resources to clean up. */
interface Launch {
  readonly directory: string;
  readonly guard: Watchdog;
  readonly daemons: Daemon[];
  readonly options: ClusterOptions;
}

interface Access {
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

const READY_DEADLINE_MS = 60_000;
const PROBE_TIMEOUT_MS = 5_000;
const ATTEMPTS_MAX = 3;

/**
 * Starts etcd, kube-apiserver and, if requested, kube-controller-manager, and waits until they are ready. The processes
 * end with `stop`, and also if this process ends in any way.
 */
export async function startCluster(options: ClusterOptions): Promise<RealCluster> {
  if (options.controllerManager === true && options.assets.controllerManager === undefined) {
    throw new EnvtestError(`${options.assets.directory} lacks kube-controller-manager, which this cluster needs.`);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      const again = error instanceof NotReadyError && error.portTaken && attempt < ATTEMPTS_MAX;
      if (!again) throw error;
      options.log?.("port taken, trying others", { attempt });
    }
  }
}

async function startOnce(options: ClusterOptions): Promise<RealCluster> {
  options.signal?.throwIfAborted();
  const parent = options.directory ?? tmpdir();
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, "levelset-envtest-"));
  const guard = await startWatchdog(directory);
  const launch: Launch = { directory, guard, daemons: [], options };
  try {
    return await bringUp(launch);
  } catch (error) {
    await tearDown(launch);
    throw error;
  }
}

async function bringUp(launch: Launch): Promise<RealCluster> {
  const { directory, options } = launch;
  const credentials = await writeCredentials(directory);
  const access = await startServers(launch, credentials);
  const kubeconfig = join(directory, "kubeconfig");
  await writePrivate(kubeconfig, kubeconfigText(access));
  if (options.controllerManager === true) await startControllers(launch, { kubeconfig, credentials, access });
  const version = await readVersion(access, options.signal);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= tearDown(launch));
  return { ...access, kubeconfig, version, stop, [Symbol.asyncDispose]: stop };
}

/**
 * Starts both servers at once: kube-apiserver waits for etcd and is ready only if etcd is. If etcd loses its port, it
 * exits long before kube-apiserver could connect to another process on it.
 */
async function startServers(launch: Launch, credentials: Credentials): Promise<Access> {
  const { directory, options } = launch;
  const [port = 0, etcdPort = 0] = await freePorts(2);
  const etcd = await launchDaemon(launch, {
    name: "etcd",
    command: options.assets.etcd,
    args: etcdFlags({ port: etcdPort, dataDirectory: join(directory, "etcd"), fsync: options.fsync ?? false }),
  });
  const certificateDirectory = join(directory, "certificates");
  const serviceAccounts = options.controllerManager === true;
  const apiserver = await launchDaemon(launch, {
    name: "kube-apiserver",
    command: options.assets.apiserver,
    args: apiserverFlags({ port, etcdPort, certificateDirectory, credentials, serviceAccounts }),
  });
  const url = `https://127.0.0.1:${port}`;
  const certificate = join(certificateDirectory, "apiserver.crt");
  await untilReady({
    daemon: apiserver,
    needs: [etcd],
    // The file is read each time, because kube-apiserver writes it during start-up.
    probe: () =>
      probe({
        path: "/readyz",
        access: async () => ({ url, token: credentials.token, ca: await readAuthority(certificate) }),
        signal: options.signal,
      }),
    deadlineMs: READY_DEADLINE_MS,
    signal: options.signal,
  });
  return { url, token: credentials.token, ca: await readAuthority(certificate) };
}

async function startControllers(
  launch: Launch,
  given: { kubeconfig: string; credentials: Credentials; access: Access },
): Promise<void> {
  const { directory, options } = launch;
  const caFile = join(directory, "ca.crt");
  await writePrivate(caFile, given.access.ca);
  const manager = await launchDaemon(launch, {
    name: "kube-controller-manager",
    command: options.assets.controllerManager ?? "kube-controller-manager",
    args: controllerManagerFlags({
      kubeconfig: given.kubeconfig,
      credentials: given.credentials,
      caFile,
      without: options.withoutControllers ?? [],
    }),
  });
  await untilReady({
    daemon: manager,
    needs: launch.daemons.filter((daemon) => daemon !== manager),
    // Created by a controller and needed by most tests: without it no pod is admitted.
    probe: () =>
      probe({
        path: "/api/v1/namespaces/default/serviceaccounts/default",
        access: () => Promise.resolve(given.access),
        signal: options.signal,
      }),
    deadlineMs: READY_DEADLINE_MS,
    signal: options.signal,
  });
}

async function launchDaemon(
  launch: Launch,
  what: { name: string; command: string; args: readonly string[] },
): Promise<Daemon> {
  const daemon = await Daemon.start({ ...what, logFile: join(launch.directory, `${what.name}.log`) });
  launch.daemons.push(daemon);
  launch.guard.watch(daemon);
  const { log } = launch.options;
  log?.("process started", { name: daemon.name, pid: daemon.pid });
  void daemon.exited.then(() =>
    log?.("process ended", { name: daemon.name, pid: daemon.pid, how: daemon.exitMessage ?? "" }),
  );
  return daemon;
}

/** A starting server refuses or resets connections, or has no certificate yet: every failure means "not ready yet". */
async function probe(options: {
  path: string;
  access: () => Promise<Access>;
  signal: AbortSignal | undefined;
}): Promise<Probe> {
  const { path, signal } = options;
  try {
    const { url, token, ca } = await options.access();
    const response = await httpsGet({ url: url + path, token, ca, timeoutMs: PROBE_TIMEOUT_MS, signal });
    return response.status === 200
      ? { kind: "ready" }
      : { kind: "waiting", reason: `${path} answers ${response.status}` };
  } catch (error) {
    return { kind: "waiting", reason: messageOf(error) };
  }
}

async function readAuthority(certificateFile: string): Promise<string> {
  const ca = authoritiesIn(await readFile(certificateFile, "utf8"));
  if (ca === "") throw new EnvtestError(`${certificateFile} holds no certificate authority.`);
  return ca;
}

async function readVersion(access: Access, signal: AbortSignal | undefined): Promise<string> {
  const response = await httpsGet({ ...access, url: `${access.url}/version`, timeoutMs: PROBE_TIMEOUT_MS, signal });
  const version: unknown = JSON.parse(response.body);
  if (typeof version === "object" && version !== null && "gitVersion" in version) return String(version.gitVersion);
  throw new EnvtestError(`/version answers ${response.status}: ${response.body}`);
}

/** In reverse order, so that no process waits for a stopped server. */
async function tearDown(launch: Launch): Promise<void> {
  for (const daemon of launch.daemons.toReversed()) await daemon.stop();
  await rm(launch.directory, { recursive: true, force: true });
  await launch.guard.release();
}
