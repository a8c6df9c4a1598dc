/**
 * Types of object-valued fields of Kubernetes types (also as list items or map values): `field:Type`, prefixed with the
 * package for types of another package. Clients show these names and use them to merge.
 */
export const CORE_TYPES: Readonly<Record<string, string>> = {
  Affinity: "nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity",
  Binding: "target:ObjectReference",
  CSIPersistentVolumeSource:
    "controllerExpandSecretRef:SecretReference controllerPublishSecretRef:SecretReference " +
    "nodeExpandSecretRef:SecretReference nodePublishSecretRef:SecretReference " +
    "nodeStageSecretRef:SecretReference",
  CSIVolumeSource: "nodePublishSecretRef:LocalObjectReference",
  CephFSPersistentVolumeSource: "secretRef:SecretReference",
  CephFSVolumeSource: "secretRef:LocalObjectReference",
  CinderPersistentVolumeSource: "secretRef:SecretReference",
  CinderVolumeSource: "secretRef:LocalObjectReference",
  ClusterTrustBundleProjection: "labelSelector:meta.LabelSelector",
  ConfigMapProjection: "items:KeyToPath",
  ConfigMapVolumeSource: "items:KeyToPath",
  Container:
    "env:EnvVar envFrom:EnvFromSource lifecycle:Lifecycle livenessProbe:Probe ports:ContainerPort " +
    "readinessProbe:Probe resizePolicy:ContainerResizePolicy resources:ResourceRequirements " +
    "restartPolicyRules:ContainerRestartRule securityContext:SecurityContext startupProbe:Probe " +
    "volumeDevices:VolumeDevice volumeMounts:VolumeMount",
  ContainerRestartRule: "exitCodes:ContainerRestartRuleOnExitCodes",
  ContainerState: "running:ContainerStateRunning terminated:ContainerStateTerminated waiting:ContainerStateWaiting",
  ContainerStatus:
    "allocatedResourcesStatus:ResourceStatus lastState:ContainerState resources:ResourceRequirements " +
    "state:ContainerState user:ContainerUser volumeMounts:VolumeMountStatus",
  ContainerUser: "linux:LinuxContainerUser",
  DownwardAPIProjection: "items:DownwardAPIVolumeFile",
  DownwardAPIVolumeFile: "fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector",
  DownwardAPIVolumeSource: "items:DownwardAPIVolumeFile",
  EndpointAddress: "targetRef:ObjectReference",
  EndpointSubset: "addresses:EndpointAddress notReadyAddresses:EndpointAddress ports:EndpointPort",
  Endpoints: "subsets:EndpointSubset",
  EnvFromSource: "configMapRef:ConfigMapEnvSource secretRef:SecretEnvSource",
  EnvVar: "valueFrom:EnvVarSource",
  EnvVarSource:
    "configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector " +
    "resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector",
  EphemeralContainer:
    "env:EnvVar envFrom:EnvFromSource lifecycle:Lifecycle livenessProbe:Probe ports:ContainerPort " +
    "readinessProbe:Probe resizePolicy:ContainerResizePolicy resources:ResourceRequirements " +
    "restartPolicyRules:ContainerRestartRule securityContext:SecurityContext startupProbe:Probe " +
    "volumeDevices:VolumeDevice volumeMounts:VolumeMount",
  EphemeralVolumeSource: "volumeClaimTemplate:PersistentVolumeClaimTemplate",
  Event: "involvedObject:ObjectReference related:ObjectReference series:EventSeries source:EventSource",
  FlexPersistentVolumeSource: "secretRef:SecretReference",
  FlexVolumeSource: "secretRef:LocalObjectReference",
  HTTPGetAction: "httpHeaders:HTTPHeader",
  ISCSIPersistentVolumeSource: "secretRef:SecretReference",
  ISCSIVolumeSource: "secretRef:LocalObjectReference",
  Lifecycle: "postStart:LifecycleHandler preStop:LifecycleHandler",
  LifecycleHandler: "exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction",
  LimitRange: "spec:LimitRangeSpec",
  LimitRangeSpec: "limits:LimitRangeItem",
  LoadBalancerIngress: "ports:PortStatus",
  LoadBalancerStatus: "ingress:LoadBalancerIngress",
  Namespace: "spec:NamespaceSpec status:NamespaceStatus",
  NamespaceStatus: "conditions:NamespaceCondition",
  Node: "spec:NodeSpec status:NodeStatus",
  NodeAffinity:
    "preferredDuringSchedulingIgnoredDuringExecution:PreferredSchedulingTerm " +
    "requiredDuringSchedulingIgnoredDuringExecution:NodeSelector",
  NodeConfigSource: "configMap:ConfigMapNodeConfigSource",
  NodeConfigStatus: "active:NodeConfigSource assigned:NodeConfigSource lastKnownGood:NodeConfigSource",
  NodeDaemonEndpoints: "kubeletEndpoint:DaemonEndpoint",
  NodeRuntimeHandler: "features:NodeRuntimeHandlerFeatures",
  NodeSelector: "nodeSelectorTerms:NodeSelectorTerm",
  NodeSelectorTerm: "matchExpressions:NodeSelectorRequirement matchFields:NodeSelectorRequirement",
  NodeSpec: "configSource:NodeConfigSource taints:Taint",
  NodeStatus:
    "addresses:NodeAddress conditions:NodeCondition config:NodeConfigStatus " +
    "daemonEndpoints:NodeDaemonEndpoints features:NodeFeatures images:ContainerImage nodeInfo:NodeSystemInfo " +
    "runtimeHandlers:NodeRuntimeHandler volumesAttached:AttachedVolume",
  NodeSystemInfo: "swap:NodeSwapStatus",
  PersistentVolume: "spec:PersistentVolumeSpec status:PersistentVolumeStatus",
  PersistentVolumeClaim: "spec:PersistentVolumeClaimSpec status:PersistentVolumeClaimStatus",
  PersistentVolumeClaimSpec:
    "dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference " +
    "resources:VolumeResourceRequirements selector:meta.LabelSelector",
  PersistentVolumeClaimStatus: "conditions:PersistentVolumeClaimCondition modifyVolumeStatus:ModifyVolumeStatus",
  PersistentVolumeClaimTemplate: "spec:PersistentVolumeClaimSpec",
  PersistentVolumeSpec:
    "awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource " +
    "azureFile:AzureFilePersistentVolumeSource cephfs:CephFSPersistentVolumeSource " +
    "cinder:CinderPersistentVolumeSource claimRef:ObjectReference csi:CSIPersistentVolumeSource " +
    "fc:FCVolumeSource flexVolume:FlexPersistentVolumeSource flocker:FlockerVolumeSource " +
    "gcePersistentDisk:GCEPersistentDiskVolumeSource glusterfs:GlusterfsPersistentVolumeSource " +
    "hostPath:HostPathVolumeSource iscsi:ISCSIPersistentVolumeSource local:LocalVolumeSource " +
    "nfs:NFSVolumeSource nodeAffinity:VolumeNodeAffinity photonPersistentDisk:PhotonPersistentDiskVolumeSource " +
    "portworxVolume:PortworxVolumeSource quobyte:QuobyteVolumeSource rbd:RBDPersistentVolumeSource " +
    "scaleIO:ScaleIOPersistentVolumeSource storageos:StorageOSPersistentVolumeSource " +
    "vsphereVolume:VsphereVirtualDiskVolumeSource",
  Pod: "spec:PodSpec status:PodStatus",
  PodAffinity:
    "preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm " +
    "requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm",
  PodAffinityTerm: "labelSelector:meta.LabelSelector namespaceSelector:meta.LabelSelector",
  PodAntiAffinity:
    "preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm " +
    "requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm",
  PodDNSConfig: "options:PodDNSConfigOption",
  PodExtendedResourceClaimStatus: "requestMappings:ContainerExtendedResourceRequest",
  PodSecurityContext:
    "appArmorProfile:AppArmorProfile seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile " +
    "sysctls:Sysctl windowsOptions:WindowsSecurityContextOptions",
  PodSpec:
    "affinity:Affinity containers:Container dnsConfig:PodDNSConfig ephemeralContainers:EphemeralContainer " +
    "hostAliases:HostAlias imagePullSecrets:LocalObjectReference initContainers:Container os:PodOS " +
    "readinessGates:PodReadinessGate resourceClaims:PodResourceClaim resources:ResourceRequirements " +
    "schedulingGates:PodSchedulingGate schedulingGroup:PodSchedulingGroup securityContext:PodSecurityContext " +
    "tolerations:Toleration topologySpreadConstraints:TopologySpreadConstraint volumes:Volume",
  PodStatus:
    "conditions:PodCondition containerStatuses:ContainerStatus ephemeralContainerStatuses:ContainerStatus " +
    "extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIPs:HostIP " +
    "initContainerStatuses:ContainerStatus " +
    "nodeAllocatableResourceClaimStatuses:NodeAllocatableResourceClaimStatus podIPs:PodIP " +
    "resourceClaimStatuses:PodResourceClaimStatus resources:ResourceRequirements",
  PodTemplate: "template:PodTemplateSpec",
  PodTemplateSpec: "spec:PodSpec",
  PreferredSchedulingTerm: "preference:NodeSelectorTerm",
  Probe: "exec:ExecAction grpc:GRPCAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction",
  ProjectedVolumeSource: "sources:VolumeProjection",
  RBDPersistentVolumeSource: "secretRef:SecretReference",
  RBDVolumeSource: "secretRef:LocalObjectReference",
  ReplicationController: "spec:ReplicationControllerSpec status:ReplicationControllerStatus",
  ReplicationControllerSpec: "template:PodTemplateSpec",
  ReplicationControllerStatus: "conditions:ReplicationControllerCondition",
  ResourceQuota: "spec:ResourceQuotaSpec status:ResourceQuotaStatus",
  ResourceQuotaSpec: "scopeSelector:ScopeSelector",
  ResourceRequirements: "claims:ResourceClaim",
  ResourceStatus: "resources:ResourceHealth",
  ScaleIOPersistentVolumeSource: "secretRef:SecretReference",
  ScaleIOVolumeSource: "secretRef:LocalObjectReference",
  ScopeSelector: "matchExpressions:ScopedResourceSelectorRequirement",
  SecretProjection: "items:KeyToPath",
  SecretVolumeSource: "items:KeyToPath",
  SecurityContext:
    "appArmorProfile:AppArmorProfile capabilities:Capabilities seLinuxOptions:SELinuxOptions " +
    "seccompProfile:SeccompProfile windowsOptions:WindowsSecurityContextOptions",
  Service: "spec:ServiceSpec status:ServiceStatus",
  ServiceAccount: "imagePullSecrets:LocalObjectReference secrets:ObjectReference",
  ServiceSpec: "ports:ServicePort sessionAffinityConfig:SessionAffinityConfig",
  ServiceStatus: "conditions:meta.Condition loadBalancer:LoadBalancerStatus",
  SessionAffinityConfig: "clientIP:ClientIPConfig",
  StorageOSPersistentVolumeSource: "secretRef:ObjectReference",
  StorageOSVolumeSource: "secretRef:LocalObjectReference",
  TopologySelectorTerm: "matchLabelExpressions:TopologySelectorLabelRequirement",
  TopologySpreadConstraint: "labelSelector:meta.LabelSelector",
  Volume:
    "awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource " +
    "azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource " +
    "configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource " +
    "emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource " +
    "flexVolume:FlexVolumeSource flocker:FlockerVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource " +
    "gitRepo:GitRepoVolumeSource glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource " +
    "image:ImageVolumeSource iscsi:ISCSIVolumeSource nfs:NFSVolumeSource " +
    "persistentVolumeClaim:PersistentVolumeClaimVolumeSource " +
    "photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource " +
    "projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource " +
    "scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource " +
    "vsphereVolume:VsphereVirtualDiskVolumeSource",
  VolumeMountStatus: "volumeStatus:VolumeStatus",
  VolumeNodeAffinity: "required:NodeSelector",
  VolumeProjection:
    "clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection " +
    "downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection secret:SecretProjection " +
    "serviceAccountToken:ServiceAccountTokenProjection",
  VolumeStatus: "image:ImageVolumeStatus",
  WeightedPodAffinityTerm: "podAffinityTerm:PodAffinityTerm",
};
