/** A manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** A version of the set. */
export interface ManifestSetVersion {
  /** Number of changed ConfigMaps. */
  readonly changed: number;
  /** Number of removed ConfigMaps. */
  readonly dropped: number;
}

/** Objects in every namespace, besides the namespace itself: 19. */
const EACH = { configMaps: 7, secrets: 3, services: 3, deployments: 3 } as const;
const TEXT = "x".repeat(200);

/** A thousand objects in fifty namespaces: a typical installation of many small services. */
export const NAMESPACES = 50;

/**
 * Returns a version of the set. Each prefix has its own namespaces. Namespaces come first, as is usual in such files.
 */
export function manifestSet(prefix: string, { changed, dropped }: ManifestSetVersion): readonly Manifest[] {
  const namespaces = Array.from({ length: NAMESPACES }, (_, index) => `${prefix}-${index}`);
  const configMaps = namespaces.flatMap((namespace) =>
    times(EACH.configMaps, (index) => configMap(namespace, index, "1")),
  );
  const versioned = configMaps
    .map((object, index) => (index < changed ? { ...object, data: { text: TEXT, version: "2" } } : object))
    .slice(0, configMaps.length - dropped);
  return [
    ...namespaces.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    ...namespaces.flatMap(accessObjects),
    ...versioned,
    ...namespaces.flatMap((namespace) => times(EACH.secrets, (index) => secret(namespace, index))),
    ...namespaces.flatMap((namespace) => times(EACH.services, (index) => service(namespace, index))),
    ...namespaces.flatMap((namespace) => times(EACH.deployments, (index) => deployment(namespace, index))),
  ];
}

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function accessObjects(namespace: string): readonly Manifest[] {
  const metadata = { name: "app", namespace };
  const group = "rbac.authorization.k8s.io";
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    {
      apiVersion: `${group}/v1`,
      kind: "Role",
      metadata,
      rules: [{ apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["get", "list", "watch"] }],
    },
    {
      apiVersion: `${group}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: group, kind: "Role", name: "app" },
      subjects: [{ kind: "ServiceAccount", name: "app", namespace }],
    },
  ];
}

function configMap(namespace: string, index: number, version: string): Manifest {
  const metadata = { name: `settings-${index}`, namespace };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: TEXT, version } };
}

function secret(namespace: string, index: number): Manifest {
  const data = { password: Buffer.from(`not a secret ${index}`).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata: { name: `access-${index}`, namespace }, type: "Opaque", data };
}

function service(namespace: string, index: number): Manifest {
  const spec = { selector: { app: `app-${index}` }, ports: [{ name: "http", port: 80, targetPort: 8080 }] };
  return { apiVersion: "v1", kind: "Service", metadata: { name: `app-${index}`, namespace }, spec };
}

function deployment(namespace: string, index: number): Manifest {
  const labels = { app: `app-${index}` };
  const container = {
    name: "main",
    image: "registry.example/app:1.0",
    ports: [{ containerPort: 8080 }],
    envFrom: [{ configMapRef: { name: "settings-0" } }],
    resources: { requests: { cpu: "100m", memory: "128Mi" } },
  };
  const template = { metadata: { labels }, spec: { serviceAccountName: "app", containers: [container] } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: `app-${index}`, namespace }, spec };
}
