import type { PodSpec, PodStatus } from "@levelset/core";
import { Pod } from "@levelset/core";
import { FieldSet } from "@levelset/core/apply";
import {
  fieldAt,
  fieldLabels,
  fieldsAt,
  NAME_FIELDS,
  forbiddenField,
  dnsLabelProblems,
  builtinResource,
} from "../../resource/index.ts";
import type { FieldLabels, KindStrategy, StrategyContext, Resource } from "../../resource/index.ts";
import type { ApiObject } from "../../store/index.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { imageWhitespaceErrors } from "./pod/container.ts";
import { podOnlyDefaults, podSpecDefaults } from "./pod/defaults.ts";
import { podSpecErrors } from "./pod/pod-spec.ts";
import { podStatusErrors, preparePodStatus } from "./pod/pod-status.ts";
import { podUpdateErrors } from "./pod/pod-update.ts";
import { keepPriority, withPriority } from "./pod/priority.ts";
import { qosClass } from "./pod/qos.ts";
import { withNodeTolerations } from "./pod/toleration.ts";
import { podPrinter } from "./pod/pod-printer.ts";
import { POD_SUBRESOURCES } from "./pod/pod-subresources.ts";

/** Strategy of Pods: most of the spec is immutable, and a bound pod is deleted with a grace period. */
const podStrategy: KindStrategy = {
  returnDeletedObject: true,
  defaults: (draft) =>
    withConditionTimes({ ...draft, spec: podOnlyDefaults(podSpecDefaults(specOf(draft))) }, [
      "lastProbeTime",
      "lastTransitionTime",
    ]),
  prepareForCreate: newPod,
  prepareForUpdate: (object, old) => {
    const spec = keepPriority(specOf(object) ?? {}, specOf(old) ?? {});
    return { ...object, spec: { ...spec, tolerations: withNodeTolerations(spec.tolerations ?? []) } };
  },
  prepareForStatusUpdate: preparePodStatus,
  validate: podErrors,
  warnings: ({ metadata }) => {
    const problems = dnsLabelProblems(metadata.name);
    const why =
      "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    return problems.length === 0 ? [] : [`metadata.name: ${why}: [${problems.join(" ")}]`];
  },
  validateStatusUpdate: podStatusErrors,
  gracePeriodSeconds: (object, requested) => {
    const { nodeName = "", terminationGracePeriodSeconds = 0 } = specOf(object) ?? {};
    const { phase } = unvalidatedField<PodStatus>(object, "status") ?? {};
    if (nodeName === "" || phase === "Failed" || phase === "Succeeded") return 0;
    const seconds = requested ?? Number(terminationGracePeriodSeconds);
    return seconds < 0 ? 1 : seconds;
  },
};

function specOf(object: Parameters<typeof unvalidatedField>[0]): Unvalidated<PodSpec> | undefined {
  return unvalidatedField<PodSpec>(object, "spec");
}

function newPod(object: ApiObject, context: StrategyContext): ApiObject {
  const given = specOf(object) ?? {};
  const spec = withPriority(
    { ...given, tolerations: withNodeTolerations(given.tolerations ?? []) },
    context.list("priorityclasses.scheduling.k8s.io"),
    object.metadata.name,
  );
  const isGated = (spec.schedulingGates ?? []).length > 0;
  const conditions = isGated ? { conditions: [gatedCondition(context.now)] } : {};
  return { ...object, spec, status: { phase: "Pending", ...conditions, qosClass: qosClass(spec) } };
}

function gatedCondition(now: string): object {
  return {
    type: "PodScheduled",
    status: "False",
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
    lastProbeTime: null,
    lastTransitionTime: now,
  };
}

function* podErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const spec = specOf(object) ?? {};
  yield* podSpecErrors("spec", spec, true);
  yield* tokenErrors(spec);
  for (const field of ["containers", "initContainers"] as const) {
    for (const [index, container] of (spec[field] ?? []).entries()) {
      yield* imageWhitespaceErrors(`spec.${field}[${index}]`, container);
    }
  }
  if (old !== undefined) {
    yield* podUpdateErrors(spec, specOf(old) ?? {});
    return;
  }
  if ((spec.ephemeralContainers ?? []).length > 0) {
    yield forbiddenField("spec.ephemeralContainers", "cannot be set on create");
  }
  if ((spec.nodeName ?? "") !== "" && (spec.schedulingGates ?? []).length > 0) {
    yield forbiddenField("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
  }
}

function* tokenErrors(spec: Unvalidated<PodSpec>): FieldErrors {
  if ((spec.serviceAccountName ?? "") !== "") return;
  for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
    for (const [n, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (serviceAccountToken === undefined) continue;
      const at = `spec.volumes[${index}].projected.sources[${n}].serviceAccountToken`;
      yield forbiddenField(at, "must not be specified when serviceAccountName is not set");
    }
  }
}

const POD_LABELS: FieldLabels = fieldLabels({
  ...NAME_FIELDS,
  ...fieldsAt("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName"),
  "spec.host": fieldAt("spec.nodeName"),
  "spec.hostNetwork": fieldAt("spec.hostNetwork", "false"),
  ...fieldsAt("status.phase", "status.nominatedNodeName"),
  "status.podIP": (object) => unvalidatedField<PodStatus>(object, "status")?.podIPs?.[0]?.ip ?? "",
  // Accepted (pkg/apis/core/v1/conversion.go), but without a value (pkg/registry/core/pod/strategy.go, Kubernetes
  // 1.36).
  "status.podIPs": () => "",
});

/** Pods. */
export const podResource: Resource = builtinResource({
  kind: Pod,
  categories: ["all"],
  subresources: POD_SUBRESOURCES,
  hasGeneration: true,
  strategy: podStrategy,
  printer: podPrinter,
  fieldLabels: POD_LABELS,
  statusResetFields: FieldSet.of(
    ["f:spec"],
    ["f:metadata", "f:deletionTimestamp"],
    ["f:metadata", "f:ownerReferences"],
  ),
});
