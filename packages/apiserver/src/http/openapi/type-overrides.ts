/** Differences between published and validated schemas, taken from `/openapi/v3` of kube-apiserver 1.36. */

/** Fields published as optional although stored objects always have them, by package, type and field. */
export const OPTIONAL_FIELDS: ReadonlySet<string> = new Set([
  "apps.DaemonSet.spec",
  "apps.Deployment.spec",
  "apps.ReplicaSet.spec",
  "apps.ReplicaSetSpec.template",
  "apps.StatefulSet.spec",
  "apps.StatefulSetOrdinals.start",
  "apps.StatefulSetSpec.serviceName",
  "apps.StatefulSetStatus.availableReplicas",
  "batch.Job.spec",
  "batch.JobTemplateSpec.spec",
  "batch.PodFailurePolicyOnPodConditionsPattern.status",
  "core.ContainerPort.protocol",
  "core.Event.reportingComponent",
  "core.Event.reportingInstance",
  "core.FileKeySelector.optional",
  "core.GRPCAction.service",
  "core.LocalObjectReference.name",
  "core.NodeRuntimeHandler.name",
  "core.PersistentVolume.spec",
  "core.PersistentVolumeClaim.spec",
  "core.Pod.spec",
  "core.PodTemplate.template",
  "core.PodTemplateSpec.spec",
  "core.ReplicationController.spec",
  "core.ReplicationControllerSpec.minReadySeconds",
  "core.ReplicationControllerSpec.replicas",
  "core.ReplicationControllerSpec.template",
  "core.Service.spec",
  "core.ServicePort.protocol",
  "discovery.EndpointSlice.endpoints",
  "networking.Ingress.spec",
  "policy.PodDisruptionBudgetStatus.currentHealthy",
  "policy.PodDisruptionBudgetStatus.desiredHealthy",
  "policy.PodDisruptionBudgetStatus.disruptionsAllowed",
  "policy.PodDisruptionBudgetStatus.expectedPods",
  "rbac.RoleRef.apiGroup",
  "scheduling.PriorityClass.value",
  "admissionregistration.ValidatingAdmissionPolicy.spec",
]);

/** Fields published as required although objects without them are accepted. */
export const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "admissionregistration.ValidatingAdmissionPolicyBindingSpec": ["policyName", "validationActions"],
  "authentication.TokenReviewSpec": ["token"],
  "core.Event": ["metadata"],
  "core.NodeSystemInfo": [
    "architecture",
    "bootID",
    "containerRuntimeVersion",
    "kernelVersion",
    "kubeProxyVersion",
    "kubeletVersion",
    "machineID",
    "operatingSystem",
    "osImage",
    "systemUUID",
  ],
};

const numbered = (name: string, from: number, to: number, sign: string): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_none, index) => `${name}${sign}${from + index}`);

/** All signals that can stop a container. */
const SIGNALS: readonly string[] = [
  ..."ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT RTMAX RTMIN SEGV STKFLT STOP SYS TERM TRAP"
    .split(" ")
    .map((name) => `SIG${name}`),
  ..."TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ".split(" ").map((name) => `SIG${name}`),
  ...numbered("SIGRTMAX", 1, 14, "-"),
  ...numbered("SIGRTMIN", 1, 15, "+"),
].toSorted();

/** Published enum values of fields that accept other values too. */
export const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  "admissionregistration.MutatingWebhook.sideEffects": ["None", "NoneOnDryRun", "Some", "Unknown"],
  "admissionregistration.ValidatingWebhook.sideEffects": ["None", "NoneOnDryRun", "Some", "Unknown"],
  "core.ContainerStatus.stopSignal": SIGNALS,
  "core.HostPathVolumeSource.type": [
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
  ],
  "core.Lifecycle.stopSignal": SIGNALS,
  "core.ModifyVolumeStatus.status": ["InProgress", "Infeasible", "Pending"],
  "core.NodeStatus.phase": ["Pending", "Running", "Terminated"],
  "core.PersistentVolumeClaimStatus.phase": ["Bound", "Lost", "Pending"],
  "core.PersistentVolumeStatus.phase": ["Available", "Bound", "Failed", "Pending", "Released"],
  "core.PodStatus.phase": ["Failed", "Pending", "Running", "Succeeded", "Unknown"],
  "core.PodStatus.qosClass": ["BestEffort", "Burstable", "Guaranteed"],
  "core.ScopedResourceSelectorRequirement.scopeName": [
    "BestEffort",
    "CrossNamespacePodAffinity",
    "NotBestEffort",
    "NotTerminating",
    "PriorityClass",
    "Terminating",
    "VolumeAttributesClass",
  ],
  "core.Toleration.effect": ["NoExecute", "NoSchedule", "PreferNoSchedule"],
};
