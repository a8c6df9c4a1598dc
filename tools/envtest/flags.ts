import type { Credentials } from "./credentials.ts";

/** Returns the arguments of a single-member etcd. `fsync` may be disabled because the data is disposable. */
export function etcdFlags(options: { port: number; dataDirectory: string; fsync: boolean }): string[] {
  const url = `http://127.0.0.1:${options.port}`;
  return [
    `--data-dir=${options.dataDirectory}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    // A single member has no peers, so any port works.
    "--listen-peer-urls=http://127.0.0.1:0",
    ...(options.fsync ? [] : ["--unsafe-no-fsync"]),
    "--log-level=warn",
  ];
}

export interface ApiserverOptions {
  readonly port: number;
  readonly etcdPort: number;
  readonly certificateDirectory: string;
  readonly credentials: Credentials;
  /** Whether service accounts are created: without a controller manager no pod would be admitted. */
  readonly serviceAccounts: boolean;
}

/** Returns the arguments of a kube-apiserver on the loopback address, with default behaviour and admission. */
export function apiserverFlags(options: ApiserverOptions): string[] {
  const { credentials } = options;
  return [
    `--etcd-servers=http://127.0.0.1:${options.etcdPort}`,
    "--bind-address=127.0.0.1",
    // Also the address in the serving certificate that kube-apiserver makes for itself.
    "--advertise-address=127.0.0.1",
    `--secure-port=${options.port}`,
    `--cert-dir=${options.certificateDirectory}`,
    `--token-auth-file=${credentials.tokenFile}`,
    "--authorization-mode=RBAC",
    `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    "--service-cluster-ip-range=10.96.0.0/16",
    "--allow-privileged=true",
    // Endpoints must not be loopback addresses, so the service `kubernetes` has none.
    "--endpoint-reconciler-type=none",
    // Ends open watches immediately on shutdown; the default waits a minute for clients.
    "--shutdown-watch-termination-grace-period=1s",
    ...(options.serviceAccounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
  ];
}

/** Controllers that react to missing heartbeats: there is no kubelet, so they would delete what tests simulate. */
const WITHOUT = ["node-lifecycle-controller", "taint-eviction-controller", "pod-garbage-collector-controller"];

export interface ControllerManagerOptions {
  readonly kubeconfig: string;
  readonly credentials: Credentials;
  /** Published into every namespace as `kube-root-ca.crt`. */
  readonly caFile: string;
  /** Controllers to disable, in addition to the fixed ones. */
  readonly without: readonly string[];
}

/** Returns the arguments of a kube-controller-manager without a listening port. */
export function controllerManagerFlags(options: ControllerManagerOptions): string[] {
  return [
    `--kubeconfig=${options.kubeconfig}`,
    "--leader-elect=false",
    "--secure-port=0",
    `--controllers=*,${[...WITHOUT, ...options.without].map((name) => `-${name}`).join(",")}`,
    `--service-account-private-key-file=${options.credentials.serviceAccountKey}`,
    `--root-ca-file=${options.caFile}`,
    // Tests wait for controllers; the default of 20 requests per second is slow with many objects.
    "--kube-api-qps=500",
    "--kube-api-burst=1000",
  ];
}
