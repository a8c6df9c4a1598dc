/** The same as `CORE_TYPES` for the other packages. */

/** Of `admissionregistration`. */
export const ADMISSIONREGISTRATION_TYPES: Readonly<Record<string, string>> = {
  MatchResources:
    "excludeResourceRules:NamedRuleWithOperations namespaceSelector:meta.LabelSelector " +
    "objectSelector:meta.LabelSelector resourceRules:NamedRuleWithOperations",
  MutatingWebhook:
    "clientConfig:WebhookClientConfig matchConditions:MatchCondition namespaceSelector:meta.LabelSelector " +
    "objectSelector:meta.LabelSelector rules:RuleWithOperations",
  MutatingWebhookConfiguration: "webhooks:MutatingWebhook",
  ParamRef: "selector:meta.LabelSelector",
  TypeChecking: "expressionWarnings:ExpressionWarning",
  ValidatingAdmissionPolicy: "spec:ValidatingAdmissionPolicySpec status:ValidatingAdmissionPolicyStatus",
  ValidatingAdmissionPolicyBinding: "spec:ValidatingAdmissionPolicyBindingSpec",
  ValidatingAdmissionPolicyBindingSpec: "matchResources:MatchResources paramRef:ParamRef",
  ValidatingAdmissionPolicySpec:
    "auditAnnotations:AuditAnnotation matchConditions:MatchCondition matchConstraints:MatchResources " +
    "paramKind:ParamKind validations:Validation variables:Variable",
  ValidatingAdmissionPolicyStatus: "conditions:meta.Condition typeChecking:TypeChecking",
  ValidatingWebhook:
    "clientConfig:WebhookClientConfig matchConditions:MatchCondition namespaceSelector:meta.LabelSelector " +
    "objectSelector:meta.LabelSelector rules:RuleWithOperations",
  ValidatingWebhookConfiguration: "webhooks:ValidatingWebhook",
  WebhookClientConfig: "service:ServiceReference",
};

/** Of `apiextensions`. */
export const APIEXTENSIONS_TYPES: Readonly<Record<string, string>> = {
  CustomResourceConversion: "webhook:WebhookConversion",
  CustomResourceDefinition: "spec:CustomResourceDefinitionSpec status:CustomResourceDefinitionStatus",
  CustomResourceDefinitionSpec:
    "conversion:CustomResourceConversion names:CustomResourceDefinitionNames " +
    "versions:CustomResourceDefinitionVersion",
  CustomResourceDefinitionStatus:
    "acceptedNames:CustomResourceDefinitionNames conditions:CustomResourceDefinitionCondition",
  CustomResourceDefinitionVersion:
    "additionalPrinterColumns:CustomResourceColumnDefinition schema:CustomResourceValidation " +
    "selectableFields:SelectableField subresources:CustomResourceSubresources",
  CustomResourceSubresources: "scale:CustomResourceSubresourceScale status:CustomResourceSubresourceStatus",
  CustomResourceValidation: "openAPIV3Schema:JSONSchemaProps",
  JSONSchemaProps:
    "additionalItems:JSONSchemaPropsOrBool additionalProperties:JSONSchemaPropsOrBool allOf:JSONSchemaProps " +
    "anyOf:JSONSchemaProps default:JSON definitions:JSONSchemaProps dependencies:JSONSchemaPropsOrStringArray " +
    "enum:JSON example:JSON externalDocs:ExternalDocumentation items:JSONSchemaPropsOrArray " +
    "not:JSONSchemaProps oneOf:JSONSchemaProps patternProperties:JSONSchemaProps properties:JSONSchemaProps " +
    "x-kubernetes-validations:ValidationRule",
  WebhookClientConfig: "service:ServiceReference",
  WebhookConversion: "clientConfig:WebhookClientConfig",
};

/** Of `apps`. */
export const APPS_TYPES: Readonly<Record<string, string>> = {
  ControllerRevision: "data:runtime.RawExtension",
  DaemonSet: "spec:DaemonSetSpec status:DaemonSetStatus",
  DaemonSetSpec: "selector:meta.LabelSelector template:core.PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy",
  DaemonSetStatus: "conditions:DaemonSetCondition",
  DaemonSetUpdateStrategy: "rollingUpdate:RollingUpdateDaemonSet",
  Deployment: "spec:DeploymentSpec status:DeploymentStatus",
  DeploymentSpec: "selector:meta.LabelSelector strategy:DeploymentStrategy template:core.PodTemplateSpec",
  DeploymentStatus: "conditions:DeploymentCondition",
  DeploymentStrategy: "rollingUpdate:RollingUpdateDeployment",
  ReplicaSet: "spec:ReplicaSetSpec status:ReplicaSetStatus",
  ReplicaSetSpec: "selector:meta.LabelSelector template:core.PodTemplateSpec",
  ReplicaSetStatus: "conditions:ReplicaSetCondition",
  StatefulSet: "spec:StatefulSetSpec status:StatefulSetStatus",
  StatefulSetSpec:
    "ordinals:StatefulSetOrdinals " +
    "persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy " +
    "selector:meta.LabelSelector template:core.PodTemplateSpec updateStrategy:StatefulSetUpdateStrategy " +
    "volumeClaimTemplates:core.PersistentVolumeClaim",
  StatefulSetStatus: "conditions:StatefulSetCondition",
  StatefulSetUpdateStrategy: "rollingUpdate:RollingUpdateStatefulSetStrategy",
};

/** Of `authentication`. */
export const AUTHENTICATION_TYPES: Readonly<Record<string, string>> = {
  SelfSubjectReview: "status:SelfSubjectReviewStatus",
  SelfSubjectReviewStatus: "userInfo:UserInfo",
  TokenRequest: "spec:TokenRequestSpec status:TokenRequestStatus",
  TokenRequestSpec: "boundObjectRef:BoundObjectReference",
  TokenReview: "spec:TokenReviewSpec status:TokenReviewStatus",
  TokenReviewStatus: "user:UserInfo",
};

/** Of `authorization`. */
export const AUTHORIZATION_TYPES: Readonly<Record<string, string>> = {
  FieldSelectorAttributes: "requirements:meta.FieldSelectorRequirement",
  LabelSelectorAttributes: "requirements:meta.LabelSelectorRequirement",
  LocalSubjectAccessReview: "spec:SubjectAccessReviewSpec status:SubjectAccessReviewStatus",
  ResourceAttributes: "fieldSelector:FieldSelectorAttributes labelSelector:LabelSelectorAttributes",
  SelfSubjectAccessReview: "spec:SelfSubjectAccessReviewSpec status:SubjectAccessReviewStatus",
  SelfSubjectAccessReviewSpec: "nonResourceAttributes:NonResourceAttributes resourceAttributes:ResourceAttributes",
  SelfSubjectRulesReview: "spec:SelfSubjectRulesReviewSpec status:SubjectRulesReviewStatus",
  SubjectAccessReview: "spec:SubjectAccessReviewSpec status:SubjectAccessReviewStatus",
  SubjectAccessReviewSpec: "nonResourceAttributes:NonResourceAttributes resourceAttributes:ResourceAttributes",
  SubjectRulesReviewStatus: "nonResourceRules:NonResourceRule resourceRules:ResourceRule",
};

/** Of `autoscaling`. */
export const AUTOSCALING_TYPES: Readonly<Record<string, string>> = {
  ContainerResourceMetricSource: "target:MetricTarget",
  ContainerResourceMetricStatus: "current:MetricValueStatus",
  ExternalMetricSource: "metric:MetricIdentifier target:MetricTarget",
  ExternalMetricStatus: "current:MetricValueStatus metric:MetricIdentifier",
  HPAScalingRules: "policies:HPAScalingPolicy",
  HorizontalPodAutoscaler: "spec:HorizontalPodAutoscalerSpec status:HorizontalPodAutoscalerStatus",
  HorizontalPodAutoscalerBehavior: "scaleDown:HPAScalingRules scaleUp:HPAScalingRules",
  HorizontalPodAutoscalerSpec:
    "behavior:HorizontalPodAutoscalerBehavior metrics:MetricSpec scaleTargetRef:CrossVersionObjectReference",
  HorizontalPodAutoscalerStatus: "conditions:HorizontalPodAutoscalerCondition currentMetrics:MetricStatus",
  MetricIdentifier: "selector:meta.LabelSelector",
  MetricSpec:
    "containerResource:ContainerResourceMetricSource external:ExternalMetricSource object:ObjectMetricSource " +
    "pods:PodsMetricSource resource:ResourceMetricSource",
  MetricStatus:
    "containerResource:ContainerResourceMetricStatus external:ExternalMetricStatus object:ObjectMetricStatus " +
    "pods:PodsMetricStatus resource:ResourceMetricStatus",
  ObjectMetricSource: "describedObject:CrossVersionObjectReference metric:MetricIdentifier target:MetricTarget",
  ObjectMetricStatus: "current:MetricValueStatus describedObject:CrossVersionObjectReference metric:MetricIdentifier",
  PodsMetricSource: "metric:MetricIdentifier target:MetricTarget",
  PodsMetricStatus: "current:MetricValueStatus metric:MetricIdentifier",
  ResourceMetricSource: "target:MetricTarget",
  ResourceMetricStatus: "current:MetricValueStatus",
};

/** Of `batch`. */
export const BATCH_TYPES: Readonly<Record<string, string>> = {
  CronJob: "spec:CronJobSpec status:CronJobStatus",
  CronJobSpec: "jobTemplate:JobTemplateSpec",
  CronJobStatus: "active:core.ObjectReference",
  Job: "spec:JobSpec status:JobStatus",
  JobSpec:
    "podFailurePolicy:PodFailurePolicy selector:meta.LabelSelector successPolicy:SuccessPolicy " +
    "template:core.PodTemplateSpec",
  JobStatus: "conditions:JobCondition uncountedTerminatedPods:UncountedTerminatedPods",
  JobTemplateSpec: "spec:JobSpec",
  PodFailurePolicy: "rules:PodFailurePolicyRule",
  PodFailurePolicyRule:
    "onExitCodes:PodFailurePolicyOnExitCodesRequirement onPodConditions:PodFailurePolicyOnPodConditionsPattern",
  SuccessPolicy: "rules:SuccessPolicyRule",
};

/** Of `coordination`. */
export const COORDINATION_TYPES: Readonly<Record<string, string>> = {
  Lease: "spec:LeaseSpec",
};

/** Of `discovery`. */
export const DISCOVERY_TYPES: Readonly<Record<string, string>> = {
  Endpoint: "conditions:EndpointConditions hints:EndpointHints targetRef:core.ObjectReference",
  EndpointHints: "forNodes:ForNode forZones:ForZone",
  EndpointSlice: "endpoints:Endpoint ports:EndpointPort",
};

/** Of `events`. */
export const EVENTS_TYPES: Readonly<Record<string, string>> = {
  Event:
    "deprecatedSource:core.EventSource regarding:core.ObjectReference related:core.ObjectReference " +
    "series:EventSeries",
};

/** Of `meta`. */
export const META_TYPES: Readonly<Record<string, string>> = {
  DeleteOptions: "preconditions:Preconditions",
  LabelSelector: "matchExpressions:LabelSelectorRequirement",
  ManagedFieldsEntry: "fieldsV1:FieldsV1",
  ObjectMeta: "managedFields:ManagedFieldsEntry ownerReferences:OwnerReference",
};

/** Of `networking`. */
export const NETWORKING_TYPES: Readonly<Record<string, string>> = {
  HTTPIngressPath: "backend:IngressBackend",
  HTTPIngressRuleValue: "paths:HTTPIngressPath",
  Ingress: "spec:IngressSpec status:IngressStatus",
  IngressBackend: "resource:core.TypedLocalObjectReference service:IngressServiceBackend",
  IngressClass: "spec:IngressClassSpec",
  IngressClassSpec: "parameters:IngressClassParametersReference",
  IngressLoadBalancerIngress: "ports:IngressPortStatus",
  IngressLoadBalancerStatus: "ingress:IngressLoadBalancerIngress",
  IngressRule: "http:HTTPIngressRuleValue",
  IngressServiceBackend: "port:ServiceBackendPort",
  IngressSpec: "defaultBackend:IngressBackend rules:IngressRule tls:IngressTLS",
  IngressStatus: "loadBalancer:IngressLoadBalancerStatus",
  NetworkPolicy: "spec:NetworkPolicySpec",
  NetworkPolicyEgressRule: "ports:NetworkPolicyPort to:NetworkPolicyPeer",
  NetworkPolicyIngressRule: "from:NetworkPolicyPeer ports:NetworkPolicyPort",
  NetworkPolicyPeer: "ipBlock:IPBlock namespaceSelector:meta.LabelSelector podSelector:meta.LabelSelector",
  NetworkPolicySpec: "egress:NetworkPolicyEgressRule ingress:NetworkPolicyIngressRule podSelector:meta.LabelSelector",
};

/** Of `policy`. */
export const POLICY_TYPES: Readonly<Record<string, string>> = {
  Eviction: "deleteOptions:meta.DeleteOptions",
  PodDisruptionBudget: "spec:PodDisruptionBudgetSpec status:PodDisruptionBudgetStatus",
  PodDisruptionBudgetSpec: "selector:meta.LabelSelector",
  PodDisruptionBudgetStatus: "conditions:meta.Condition",
};

/** Of `rbac`. */
export const RBAC_TYPES: Readonly<Record<string, string>> = {
  AggregationRule: "clusterRoleSelectors:meta.LabelSelector",
  ClusterRole: "aggregationRule:AggregationRule rules:PolicyRule",
  ClusterRoleBinding: "roleRef:RoleRef subjects:Subject",
  Role: "rules:PolicyRule",
  RoleBinding: "roleRef:RoleRef subjects:Subject",
};

/** Of `storage`. */
export const STORAGE_TYPES: Readonly<Record<string, string>> = {
  CSIDriver: "spec:CSIDriverSpec",
  CSIDriverSpec: "tokenRequests:TokenRequest",
  StorageClass: "allowedTopologies:core.TopologySelectorTerm",
  VolumeAttachment: "spec:VolumeAttachmentSpec status:VolumeAttachmentStatus",
  VolumeAttachmentSource: "inlineVolumeSpec:core.PersistentVolumeSpec",
  VolumeAttachmentSpec: "source:VolumeAttachmentSource",
  VolumeAttachmentStatus: "attachError:VolumeError detachError:VolumeError",
};

/** Of `autoscaling` in its first version. */
export const AUTOSCALING_V1_TYPES: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: "spec:HorizontalPodAutoscalerSpec status:HorizontalPodAutoscalerStatus",
  HorizontalPodAutoscalerSpec: "scaleTargetRef:CrossVersionObjectReference",
  Scale: "spec:ScaleSpec status:ScaleStatus",
};
