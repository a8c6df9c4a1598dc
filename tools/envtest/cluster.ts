import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundAssets } from "./assets.ts";
import { authoritiesIn, kubeconfigText, writeCredentials, writePrivate } from "./credentials.ts";
import type { Credentials } from "./credentials.ts";
import { Daemon } from "./daemon.ts";
import { EnvtestError, messageOf } from "./errors.ts";
import { apiserverFlags, controllerManagerFlags, etcdFlags } from "./flags.ts";
import { get } from "./get.ts";
import { startGuard } from "./guard.ts";
import type { Guard } from "./guard.ts";
import { freePorts } from "./port.ts";
import { NotReady, untilReady } from "./ready.ts";
import type { Probe } from "./ready.ts";

export interface ClusterOptions {
  readonly assets: FoundAssets;
  /** Where the cluster's own directory is made; the system's directory for temporary files by default. */
  readonly directory?: string;
  /** Also run kube-controller-manager: garbage collection, namespaces, service accounts, workloads. */
  readonly controllerManager?: boolean;
  /** Controllers that are not to run, by the names that kube-controller-manager has for them. */
  readonly withoutControllers?: readonly string[];
  /** Whether etcd waits for the disk with every write, as it does by itself. Default false: it is faster, and nobody misses the data. */
  readonly fsync?: boolean;
  /** Gives up the start. Once started, a cluster is ended by `stop`. */
  readonly signal?: AbortSignal;
  /** Hears of every process: a constant message, and fields for the rest. */
  readonly log?: (message: string, fields: Readonly<Record<string, string | number>>) => void;
}

/** A running control plane on the loopback address. */
export interface RealCluster extends AsyncDisposable {
  readonly url: string;
  /** A bearer token that may do everything. */
  readonly token: string;
  /** The authority that signed the server's certificate, in PEM. */
  readonly ca: string;
  /** Path of a kubeconfig, readable by its owner only. */
  readonly kubeconfig: string;
  /** What the server says it is, for instance `v1.36.3`. */
  readonly version: string;
  /** Ends the processes and removes their directory. May be called again. */
  stop(): Promise<void>;
}

/** What has been started and must be undone. */
interface Launch {
  readonly directory: string;
  readonly guard: Guard;
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
 * Starts etcd, kube-apiserver and, if asked, kube-controller-manager, and waits until they answer.
 * The processes end with `stop`, and also when this process ends in whatever way.
 */
export async function startCluster(options: ClusterOptions): Promise<RealCluster> {
  if (options.controllerManager === true && options.assets.controllerManager === undefined) {
    throw new EnvtestError(`${options.assets.directory} lacks kube-controller-manager, which this cluster asks for.`);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      const again = error instanceof NotReady && error.portTaken && attempt < ATTEMPTS_MAX;
      if (!again) throw error;
      options.log?.("port taken meanwhile, trying others", { attempt });
    }
  }
}

async function startOnce(options: ClusterOptions): Promise<RealCluster> {
  options.signal?.throwIfAborted();
  const parent = options.directory ?? tmpdir();
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, "levelset-envtest-"));
  const guard = await startGuard(directory);
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
 * Starts both servers at once: kube-apiserver waits for etcd by itself, and is only ready when etcd is.
 * If etcd lost its port it ends long before kube-apiserver could have talked to whoever has it.
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
    // The file is read each time, as kube-apiserver writes it on its way up.
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
    // Made by one of the controllers, and what most tests need first: without it no pod is admitted.
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
  void daemon.ended.then(() => log?.("process ended", { name: daemon.name, pid: daemon.pid, how: daemon.end ?? "" }));
  return daemon;
}

/** A server on its way up refuses, resets, or has no certificate yet: every failure only means "not yet". */
async function probe(options: {
  path: string;
  access: () => Promise<Access>;
  signal: AbortSignal | undefined;
}): Promise<Probe> {
  const { path, signal } = options;
  try {
    const { url, token, ca } = await options.access();
    const answer = await get({ url: url + path, token, ca, timeoutMs: PROBE_TIMEOUT_MS, signal });
    return answer.status === 200 ? { kind: "ready" } : { kind: "waiting", reason: `${path} answers ${answer.status}` };
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
  const answer = await get({ ...access, url: `${access.url}/version`, timeoutMs: PROBE_TIMEOUT_MS, signal });
  const version: unknown = JSON.parse(answer.body);
  if (typeof version === "object" && version !== null && "gitVersion" in version) return String(version.gitVersion);
  throw new EnvtestError(`/version answers ${answer.status}: ${answer.body}`);
}

/** In the reverse order, so that nothing waits for a server that is gone. */
async function tearDown(launch: Launch): Promise<void> {
  for (const daemon of launch.daemons.toReversed()) await daemon.stop();
  await rm(launch.directory, { recursive: true, force: true });
  await launch.guard.release();
}
