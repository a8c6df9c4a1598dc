import { Deployment } from "@levelset/core";
import type { Container, Probe } from "@levelset/core";
import { baseManifest } from "./base-file.ts";
import type { BaseManifest } from "./base-file.ts";
import { labelsOf, metadataOf, ENDPOINT_PORT, selectorOf } from "./base-options.ts";
import type { BaseOptions } from "./base-options.ts";

/** Grace periods after SIGTERM: of runs in progress, and of the pod until it is killed. */
const GRACE_SECONDS = { runs: 20, pod: 30 } as const;

/**
 * Returns the Deployment: one pod is active, the others stand by. The pods are unprivileged and can write only to /tmp.
 */
export function deployment(options: BaseOptions): BaseManifest {
  const { name, replicas } = options;
  const selector = { matchLabels: selectorOf(name) };
  return baseManifest(Deployment, {
    metadata: metadataOf(options),
    spec: {
      replicas,
      selector,
      // A new pod is ready before an old one is stopped.
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
  const probe = (path: string): Probe => ({ httpGet: { path, port: ENDPOINT_PORT.name } });
  return {
    name: "operator",
    image: options.image,
    imagePullPolicy: "IfNotPresent",
    args: argumentsOf(options),
    env: [{ name: "NODE_ENV", value: "production" }],
    ports: [{ name: ENDPOINT_PORT.name, containerPort: ENDPOINT_PORT.number }],
    // The start may be slow on a busy node. After that, a pod without a response is restarted.
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

/** Returns the arguments of `levelset` in the pod. */
function argumentsOf({ file, name, namespace, namespaces, installCrds }: BaseOptions): readonly string[] {
  return [
    "run",
    file,
    "--leader-elect",
    `--leader-elect-name=${name}`,
    `--leader-elect-namespace=${namespace}`,
    `--listen=0.0.0.0:${ENDPOINT_PORT.number}`,
    `--grace=${GRACE_SECONDS.runs}`,
    "--log-format=json",
    ...(namespaces === undefined ? [] : [`--namespaces=${namespaces.join(",")}`]),
    ...(installCrds ? ["--install-crds"] : []),
  ];
}
