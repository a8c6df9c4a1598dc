import { Deployment } from "@levelset/core";
import type { Container, Probe } from "@levelset/core";
import { manifest } from "./base-file.ts";
import type { Manifest } from "./base-file.ts";
import { labelsOf, metadataOf, PORT, selectorOf } from "./base-options.ts";
import type { BaseOptions } from "./base-options.ts";

/** How long runs may go on when a pod is told to stop, and how long until it is killed. */
const GRACE_SECONDS = { runs: 20, pod: 30 } as const;

/** The pods of the operators: one of them works, the others stand by. They may do nothing but run and write to /tmp. */
export function deployment(options: BaseOptions): Manifest {
  const { name, replicas } = options;
  const selector = { matchLabels: selectorOf(name) };
  return manifest(Deployment, {
    metadata: metadataOf(options),
    spec: {
      replicas,
      selector,
      // A new pod stands by before an old one goes.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: true,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          terminationGracePeriodSeconds: GRACE_SECONDS.pod,
          ...(replicas > 1
            ? {
                topologySpreadConstraints: [
                  {
                    maxSkew: 1,
                    topologyKey: "kubernetes.io/hostname",
                    whenUnsatisfiable: "ScheduleAnyway",
                    labelSelector: selector,
                  },
                ],
              }
            : {}),
          containers: [container(options)],
          volumes: [{ name: "tmp", emptyDir: { sizeLimit: "64Mi" } }],
        },
      },
    },
  });
}

function container(options: BaseOptions): Container {
  const probe = (path: string): Probe => ({ httpGet: { path, port: PORT.name } });
  return {
    name: "operator",
    image: options.image,
    imagePullPolicy: "IfNotPresent",
    args: argumentsOf(options),
    env: [{ name: "NODE_ENV", value: "production" }],
    ports: [{ name: PORT.name, containerPort: PORT.number }],
    // It may take a while to start on a busy node; after that, silence is worth a restart.
    startupProbe: { ...probe("/healthz"), periodSeconds: 2, failureThreshold: 30 },
    livenessProbe: { ...probe("/healthz"), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...probe("/readyz"), periodSeconds: 5, failureThreshold: 2 },
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
  };
}

/** What `levelset` is told in the pod. */
function argumentsOf({ file, name, namespace, namespaces, installCrds }: BaseOptions): readonly string[] {
  return [
    "run",
    file,
    "--leader-elect",
    `--leader-elect-name=${name}`,
    `--leader-elect-namespace=${namespace}`,
    `--listen=0.0.0.0:${PORT.number}`,
    `--grace=${GRACE_SECONDS.runs}`,
    "--log-format=json",
    ...(namespaces === undefined ? [] : [`--namespaces=${namespaces.join(",")}`]),
    ...(installCrds ? ["--install-crds"] : []),
  ];
}
