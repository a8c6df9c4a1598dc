import type { Credentials } from "./credentials.ts";

/** Arguments for a single etcd. Without `fsync`, its data is such as nobody will miss. */
export function etcdFlags(options: { port: number; dataDirectory: string; fsync: boolean }): string[] {
  const url = `http://127.0.0.1:${options.port}`;
  return [
    `--data-dir=${options.dataDirectory}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    // A lone member talks to no peer, so any port will do.
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
  /** Whether service accounts will be made: without a controller manager no pod could be admitted. */
  readonly serviceAccounts: boolean;
}

/** Arguments for a kube-apiserver on the loopback address, with its usual behaviour and admission. */
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
    // Endpoints must not be loopback addresses, so the service `kubernetes` can have none.
    "--endpoint-reconciler-type=none",
    // Ends open watches at once when asked to stop; otherwise it waits a minute for clients to let go.
    "--shutdown-watch-termination-grace-period=1s",
    ...(options.serviceAccounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
  ];
}

/** Controllers that act on missing heartbeats: no kubelet sends any, so they would delete what tests simulate. */
const WITHOUT = ["node-lifecycle-controller", "taint-eviction-controller", "pod-garbage-collector-controller"];

export interface ControllerManagerOptions {
  readonly kubeconfig: string;
  readonly credentials: Credentials;
  /** Published into every namespace as `kube-root-ca.crt`. */
  readonly caFile: string;
  /** Controllers that are not to run, besides those that never do. */
  readonly without: readonly string[];
}

/** Arguments for a kube-controller-manager that listens on no port. */
export function controllerManagerFlags(options: ControllerManagerOptions): string[] {
  return [
    `--kubeconfig=${options.kubeconfig}`,
    "--leader-elect=false",
    "--secure-port=0",
    `--controllers=*,${[...WITHOUT, ...options.without].map((name) => `-${name}`).join(",")}`,
    `--service-account-private-key-file=${options.credentials.serviceAccountKey}`,
    `--root-ca-file=${options.caFile}`,
    // Tests wait for controllers; the usual 20 requests a second make many objects slow.
    "--kube-api-qps=500",
    "--kube-api-burst=1000",
  ];
}
