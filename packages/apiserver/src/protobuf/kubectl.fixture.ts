import type { JsonObject } from "@levelset/core";

/**
 * A request of kubectl 1.36: the command, the request body, and the object that `--dry-run=client -o json` prints. For
 * the two commands without a dry run, `auth can-i` and `create token`, the object is written by hand.
 */
export interface RecordedKubectlRequest {
  readonly command: string;
  /** In base64. */
  readonly body: string;
  readonly object: JsonObject;
}

/** Recorded requests, whose encoding is that of kubectl. */
export const RECORDED_KUBECTL_REQUESTS: readonly RecordedKubectlRequest[] = [
  {
    command: "create namespace team-a",
    body: "azhzAAoPCgJ2MRIJTmFtZXNwYWNlEh4KFgoGdGVhbS1hEgAaACIAKgAyADgAQgASABoCCgAaACIA",
    object: { apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a" }, spec: {}, status: {} },
  },
  {
    command: "create configmap settings --from-literal=mode=fast --from-literal=empty=",
    body: "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEjMKGAoIc2V0dGluZ3MSABoAIgAqADIAOABCABIJCgVlbXB0eRIAEgwKBG1vZGUSBGZhc3QaACIA",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { empty: "", mode: "fast" } },
  },
  {
    command: "create secret generic login --from-literal=user=admin",
    body: "azhzAAoMCgJ2MRIGU2VjcmV0EigKFQoFbG9naW4SABoAIgAqADIAOABCABINCgR1c2VyEgVhZG1pbhoAGgAiAA==",
    object: { apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, data: { user: "YWRtaW4=" } },
  },
  {
    command: "create serviceaccount robot",
    body: "azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSFwoVCgVyb2JvdBIAGgAiACoAMgA4AEIAGgAiAA==",
    object: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } },
  },
  {
    command: "create role reader --verb=get,list --resource=configmaps --resource-name=settings",
    body: "azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEj0KFgoGcmVhZGVyEgAaACIAKgAyADgAQgASIwoDZ2V0CgRsaXN0EgAaCmNvbmZpZ21hcHMiCHNldHRpbmdzGgAiAA==",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "reader" },
      rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["settings"] }],
    },
  },
  {
    command: "create rolebinding readers --role=reader --serviceaccount=default:robot --user=ann",
    body: "azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxKSAQoXCgdyZWFkZXJzEgAaACIAKgAyADgAQgASKAoEVXNlchIZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxoDYW5uIgASIgoOU2VydmljZUFjY291bnQSABoFcm9ib3QiB2RlZmF1bHQaKQoZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxIEUm9sZRoGcmVhZGVyGgAiAA==",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "readers" },
      subjects: [
        { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "ann" },
        { kind: "ServiceAccount", name: "robot", namespace: "default" },
      ],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    },
  },
  {
    command: "create clusterrole reader --verb=get --resource=namespaces",
    body: "azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRItChYKBnJlYWRlchIAGgAiACoAMgA4AEIAEhMKA2dldBIAGgpuYW1lc3BhY2VzGgAiAA==",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "reader" },
      rules: [{ verbs: ["get"], apiGroups: [""], resources: ["namespaces"] }],
    },
  },
  {
    command: "create clusterrole pages --verb=get --non-resource-url=/healthz",
    body: "azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIoChUKBXBhZ2VzEgAaACIAKgAyADgAQgASDwoDZ2V0KggvaGVhbHRoehoAIgA=",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "pages" },
      rules: [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }],
    },
  },
  {
    command: "create clusterrolebinding readers --clusterrole=reader --group=staff",
    body: "azhzAAoyChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEhJDbHVzdGVyUm9sZUJpbmRpbmcSeAoXCgdyZWFkZXJzEgAaACIAKgAyADgAQgASKwoFR3JvdXASGXJiYWMuYXV0aG9yaXphdGlvbi5rOHMuaW8aBXN0YWZmIgAaMAoZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxILQ2x1c3RlclJvbGUaBnJlYWRlchoAIgA=",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "readers" },
      subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "staff" }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" },
    },
  },
  {
    command: "create deployment web --image=nginx:1 --replicas=3 --port=80",
    body: "azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50EroBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEogBCAMSDAoKCgNhcHASA3dlYhpuChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEk4SMAoFbmdpbngSB25naW54OjEqADIKCgAQABhQIgAqAEIAagByAIABAIgBAJABAKIBABoAMgBCAEoAUgBYAGAAaACCAQCKAQCaAQDCAQAiAgoAKAA4ABoMCAAQABgAIAAoADgAGgAiAA==",
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", labels: { app: "web" } },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "nginx", image: "nginx:1", ports: [{ containerPort: 80 }], resources: {} }] },
        },
        strategy: {},
      },
      status: {},
    },
  },
  {
    command: "create job once --image=busybox:1 -- date -u",
    body: "azhzAAoPCghiYXRjaC92MRIDSm9iEooBChQKBG9uY2USABoAIgAqADIAOABCABJoMmYKEAoAEgAaACIAKgAyADgAQgASUhIvCgRvbmNlEglidXN5Ym94OjEaBGRhdGUaAi11KgBCAGoAcgCAAQCIAQCQAQCiAQAaBU5ldmVyMgBCAEoAUgBYAGAAaACCAQCKAQCaAQDCAQAaCCAAKAAwADoAGgAiAA==",
    object: {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "once" },
      spec: {
        template: {
          metadata: {},
          spec: {
            containers: [{ name: "once", image: "busybox:1", command: ["date", "-u"], resources: {} }],
            restartPolicy: "Never",
          },
        },
      },
      status: {},
    },
  },
  {
    command: "create cronjob hourly --image=busybox:1 --schedule=0 * * * * --restart=OnFailure",
    body: "azhzAAoTCghiYXRjaC92MRIHQ3JvbkpvYhKqAQoWCgZob3VybHkSABoAIgAqADIAOABCABKNAQoJMCAqICogKiAqGgAqfgoWCgZob3VybHkSABoAIgAqADIAOABCABJkMmIKEAoAEgAaACIAKgAyADgAQgASThInCgZob3VybHkSCWJ1c3lib3g6MSoAQgBqAHIAgAEAiAEAkAEAogEAGglPbkZhaWx1cmUyAEIASgBSAFgAYABoAIIBAIoBAJoBAMIBABoAGgAiAA==",
    object: {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "hourly" },
      spec: {
        schedule: "0 * * * *",
        jobTemplate: {
          metadata: { name: "hourly" },
          spec: {
            template: {
              metadata: {},
              spec: { containers: [{ name: "hourly", image: "busybox:1", resources: {} }], restartPolicy: "OnFailure" },
            },
          },
        },
      },
      status: {},
    },
  },
  {
    command: "create service clusterip web --tcp=80:8080",
    body: "azhzAAoNCgJ2MRIHU2VydmljZRJpCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkIKGwoHODAtODA4MBIDVENQGFAiBwgAEJA/GgAoABIKCgNhcHASA3dlYhoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA==",
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", labels: { app: "web" } },
      spec: {
        ports: [{ name: "80-8080", protocol: "TCP", port: 80, targetPort: 8080 }],
        selector: { app: "web" },
        type: "ClusterIP",
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: "create service nodeport open --tcp=80 --node-port=30080",
    body: "azhzAAoNCgJ2MRIHU2VydmljZRJnCiEKBG9wZW4SABoAIgAqADIAOABCAFoLCgNhcHASBG9wZW4SPgoXCgI4MBIDVENQGFAiBggAEFAaACiA6wESCwoDYXBwEgRvcGVuGgAiCE5vZGVQb3J0OgBCAFIAWgBgAGgAGgIKABoAIgA=",
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "open", labels: { app: "open" } },
      spec: {
        ports: [{ name: "80", protocol: "TCP", port: 80, targetPort: 80, nodePort: 30080 }],
        selector: { app: "open" },
        type: "NodePort",
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: "create service externalname far --external-name=example.com",
    body: "azhzAAoNCgJ2MRIHU2VydmljZRJaCh8KA2ZhchIAGgAiACoAMgA4AEIAWgoKA2FwcBIDZmFyEjMSCgoDYXBwEgNmYXIaACIMRXh0ZXJuYWxOYW1lOgBCAFILZXhhbXBsZS5jb21aAGAAaAAaAgoAGgAiAA==",
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "far", labels: { app: "far" } },
      spec: { selector: { app: "far" }, type: "ExternalName", externalName: "example.com" },
      status: { loadBalancer: {} },
    },
  },
  {
    command: "create quota small --hard=cpu=1,memory=1Gi,pods=0 --scopes=BestEffort",
    body: "azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRJRChUKBXNtYWxsEgAaACIAKgAyADgAQgASNgoKCgNjcHUSAwoBMQoPCgZtZW1vcnkSBQoDMUdpCgsKBHBvZHMSAwoBMBIKQmVzdEVmZm9ydBoAGgAiAA==",
    object: {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "small" },
      spec: { hard: { cpu: "1", memory: "1Gi", pods: "0" }, scopes: ["BestEffort"] },
      status: {},
    },
  },
  {
    command: "create poddisruptionbudget steady --selector=app=web --min-available=50%",
    body: "azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSPwoWCgZzdGVhZHkSABoAIgAqADIAOABCABIZCgkIARAAGgM1MCUSDAoKCgNhcHASA3dlYhoKCAAYACAAKAAwABoAIgA=",
    object: {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "steady" },
      spec: { minAvailable: "50%", selector: { matchLabels: { app: "web" } } },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  },
  {
    command: "create poddisruptionbudget still --selector=app=web --max-unavailable=0",
    body: "azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSOwoVCgVzdGlsbBIAGgAiACoAMgA4AEIAEhYSDAoKCgNhcHASA3dlYhoGCAAQABoAGgoIABgAIAAoADAAGgAiAA==",
    object: {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "still" },
      spec: { selector: { matchLabels: { app: "web" } }, maxUnavailable: 0 },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  },
  {
    command: "create priorityclass high --value=1000 --description=first",
    body: "azhzAAolChRzY2hlZHVsaW5nLms4cy5pby92MRINUHJpb3JpdHlDbGFzcxI4ChQKBGhpZ2gSABoAIgAqADIAOABCABDoBxgAIgVmaXJzdCoUUHJlZW1wdExvd2VyUHJpb3JpdHkaACIA",
    object: {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: "high" },
      value: 1000,
      description: "first",
      preemptionPolicy: "PreemptLowerPriority",
    },
  },
  {
    command: "create priorityclass zero --value=0 --preemption-policy=Never",
    body: "azhzAAolChRzY2hlZHVsaW5nLms4cy5pby92MRINUHJpb3JpdHlDbGFzcxIjChQKBHplcm8SABoAIgAqADIAOABCABAAGAAiACoFTmV2ZXIaACIA",
    object: {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: "zero" },
      value: 0,
      preemptionPolicy: "Never",
    },
  },
  {
    command: "create ingress site --rule=example.com/api*=web:80,tls=cert --default-backend=web:http --class=nginx",
    body: "azhzAAofChRuZXR3b3JraW5nLms4cy5pby92MRIHSW5ncmVzcxJ9ChQKBHNpdGUSABoAIgAqADIAOABCABJhChEiDwoDd2ViEggKBGh0dHAQABITCgtleGFtcGxlLmNvbRIEY2VydBowCgtleGFtcGxlLmNvbRIhCh8KHQoEL2FwaRINIgsKA3dlYhIECgAQUBoGUHJlZml4IgVuZ2lueBoCCgAaACIA",
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "site" },
      spec: {
        ingressClassName: "nginx",
        defaultBackend: { service: { name: "web", port: { name: "http" } } },
        tls: [{ hosts: ["example.com"], secretName: "cert" }],
        rules: [
          {
            host: "example.com",
            http: {
              paths: [
                { path: "/api", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } },
              ],
            },
          },
        ],
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: "auth can-i delete configmaps/settings",
    body: "azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSTQoQCgASABoAIgAqADIAOABCABIvCi0KB2RlZmF1bHQSBmRlbGV0ZRoAIgAqCmNvbmZpZ21hcHMyADoIc2V0dGluZ3MaCAgAEgAaACAAGgAiAA==",
    object: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      metadata: {},
      spec: { resourceAttributes: { namespace: "default", verb: "delete", resource: "configmaps", name: "settings" } },
      status: { allowed: false },
    },
  },
  {
    command: "create token robot --duration=1h",
    body: "azhzAAooChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESDFRva2VuUmVxdWVzdBIdChAKABIAGgAiACoAMgA4AEIAEgMgkBwaBAoAEgAaACIA",
    object: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      spec: { expirationSeconds: 3600 },
      status: { token: "" },
    },
  },
];
