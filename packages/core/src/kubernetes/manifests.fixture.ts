import type { NewOf } from "../kind/index.ts";
import type {
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PersistentVolumeClaim,
  Role,
  Service,
  StatefulSet,
} from "./index.ts";

const labels = { app: "shop", tier: "web" };

/** A web server as teams write it: probes, resources, files from config maps and secrets, spread over zones. */
export const deployment: NewOf<typeof Deployment> = {
  metadata: { name: "shop", namespace: "prod", labels },
  spec: {
    replicas: 3,
    revisionHistoryLimit: 5,
    selector: { matchLabels: labels, matchExpressions: [{ key: "canary", operator: "DoesNotExist" }] },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
    template: {
      metadata: { labels, annotations: { "prometheus.io/scrape": "true" } },
      spec: {
        serviceAccountName: "shop",
        terminationGracePeriodSeconds: 45,
        securityContext: { runAsNonRoot: true, fsGroup: 2000, seccompProfile: { type: "RuntimeDefault" } },
        imagePullSecrets: [{ name: "registry" }],
        initContainers: [{ name: "migrate", image: "shop:1.2", command: ["./migrate"], restartPolicy: "Always" }],
        containers: [
          {
            name: "web",
            image: "registry.example/shop:1.2",
            imagePullPolicy: "IfNotPresent",
            args: ["--port=8080"],
            ports: [
              { name: "http", containerPort: 8080 },
              { containerPort: 9090, protocol: "UDP" },
            ],
            env: [
              { name: "MODE", value: "production" },
              { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "password" } } },
              { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
              { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } } },
            ],
            envFrom: [{ prefix: "FEATURE_", configMapRef: { name: "features", optional: true } }],
            resources: { requests: { cpu: "250m", memory: "128Mi" }, limits: { cpu: 1, memory: "512Mi" } },
            livenessProbe: { httpGet: { path: "/live", port: "http" }, periodSeconds: 5 },
            readinessProbe: { grpc: { port: 9090, service: "" }, failureThreshold: 2 },
            startupProbe: { exec: { command: ["./ready"] }, failureThreshold: 30 },
            lifecycle: { preStop: { sleep: { seconds: 5 } } },
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
            volumeMounts: [
              { name: "config", mountPath: "/etc/shop", readOnly: true },
              { name: "scratch", mountPath: "/tmp", subPath: "web" },
            ],
          },
        ],
        volumes: [
          {
            name: "config",
            configMap: { name: "shop", items: [{ key: "shop.yaml", path: "shop.yaml", mode: 0o440 }] },
          },
          { name: "keys", secret: { secretName: "keys", defaultMode: 0o400 } },
          { name: "scratch", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
          {
            name: "token",
            projected: {
              sources: [
                { serviceAccountToken: { path: "token", audience: "vault", expirationSeconds: 3600 } },
                { downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
              ],
            },
          },
          { name: "old", cephfs: { monitors: ["10.0.0.1:6789"], secretRef: { name: "ceph" } } },
        ],
        nodeSelector: { "kubernetes.io/os": "linux" },
        tolerations: [{ key: "spot", operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: "topology.kubernetes.io/zone",
            whenUnsatisfiable: "ScheduleAnyway",
            labelSelector: { matchLabels: labels },
          },
        ],
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 50,
                podAffinityTerm: { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: labels } },
              },
            ],
          },
        },
      },
    },
  },
};

/** A database with a claim for each pod. */
export const statefulSet: NewOf<typeof StatefulSet> = {
  metadata: { name: "db" },
  spec: {
    serviceName: "db",
    replicas: 3,
    podManagementPolicy: "Parallel",
    selector: { matchLabels: { app: "db" } },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Delete" },
    template: {
      metadata: { labels: { app: "db" } },
      spec: {
        containers: [
          {
            name: "postgres",
            image: "postgres:17",
            ports: [{ containerPort: 5432, name: "sql" }],
            volumeMounts: [{ name: "data", mountPath: "/var/lib/postgresql/data" }],
          },
        ],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } }, storageClassName: "ssd" },
      },
    ],
  },
};

/** An indexed job that gives up early on some exit codes. */
export const job: NewOf<typeof Job> = {
  metadata: { generateName: "import-" },
  spec: {
    completions: 5,
    parallelism: 2,
    completionMode: "Indexed",
    backoffLimitPerIndex: 1,
    ttlSecondsAfterFinished: 600,
    podFailurePolicy: {
      rules: [
        { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [42] } },
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] },
      ],
    },
    template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "import:3" }] } },
  },
};

/** A nightly backup. */
export const cronJob: NewOf<typeof CronJob> = {
  metadata: { name: "backup" },
  spec: {
    schedule: "0 3 * * *",
    timeZone: "Europe/Berlin",
    concurrencyPolicy: "Forbid",
    jobTemplate: {
      metadata: { labels: { app: "backup" } },
      spec: {
        backoffLimit: 2,
        template: { spec: { restartPolicy: "OnFailure", containers: [{ name: "backup", image: "backup:1" }] } },
      },
    },
  },
};

/** DNS on two protocols of one port. */
export const service: NewOf<typeof Service> = {
  metadata: { name: "dns" },
  spec: {
    type: "LoadBalancer",
    selector: { app: "dns" },
    ports: [
      { name: "dns-tcp", port: 53, targetPort: "dns" },
      { name: "dns-udp", port: 53, protocol: "UDP", targetPort: 5353 },
    ],
    ipFamilyPolicy: "PreferDualStack",
    ipFamilies: ["IPv4", "IPv6"],
    externalTrafficPolicy: "Local",
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
  },
};

/** A site with a certificate. */
export const ingress: NewOf<typeof Ingress> = {
  metadata: { name: "shop", annotations: { "cert-manager.io/cluster-issuer": "letsencrypt" } },
  spec: {
    ingressClassName: "nginx",
    tls: [{ hosts: ["shop.example"], secretName: "shop-tls" }],
    rules: [
      {
        host: "shop.example",
        http: {
          paths: [
            { path: "/", pathType: "Prefix", backend: { service: { name: "shop", port: { number: 80 } } } },
            { path: "/api", pathType: "Exact", backend: { service: { name: "api", port: { name: "http" } } } },
          ],
        },
      },
    ],
  },
};

/** Who may talk to the database. */
export const networkPolicy: NewOf<typeof NetworkPolicy> = {
  metadata: { name: "db" },
  spec: {
    podSelector: { matchLabels: { app: "db" } },
    policyTypes: ["Ingress", "Egress"],
    ingress: [{ from: [{ podSelector: { matchLabels: labels } }], ports: [{ protocol: "TCP", port: 5432 }] }],
    egress: [
      { to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.9.0.0/16"] } }], ports: [{ port: 1024, endPort: 2048 }] },
    ],
  },
};

/** Scales by cpu and by requests. */
export const autoscaler: NewOf<typeof HorizontalPodAutoscaler> = {
  metadata: { name: "shop" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "shop" },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } },
      { type: "Pods", pods: { metric: { name: "requests" }, target: { type: "AverageValue", averageValue: "1k" } } },
    ],
    behavior: {
      scaleDown: { policies: [{ type: "Percent", value: 10, periodSeconds: 60 }], stabilizationWindowSeconds: 300 },
    },
  },
};

/** A claim that starts from a snapshot. */
export const claim: NewOf<typeof PersistentVolumeClaim> = {
  metadata: { name: "data" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    volumeMode: "Filesystem",
    resources: { requests: { storage: "8Gi" } },
    dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "before-upgrade" },
  },
};

/** What an operator needs. */
export const role: NewOf<typeof Role> = {
  metadata: { name: "operator" },
  rules: [
    { apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["shop"], verbs: ["*"] },
  ],
};
