import type { PodSpec, PodStatus } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField } from "../../field.ts";
import { dnsLabelProblems } from "../../names.ts";
import type { KindRules, RuleContext } from "../../rules.ts";
import type { Errors } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { imageSpaceErrors } from "./container.ts";
import { podOnlyDefaults, podSpecDefaults } from "./defaults.ts";
import { podSpecErrors } from "./pod-spec.ts";
import { podStatusErrors, reportedPod } from "./pod-status.ts";
import { podUpdateErrors } from "./pod-update.ts";
import { keepPriority, withPriority } from "./priority.ts";
import { qosClass } from "./qos.ts";
import { withNodeTolerations } from "./toleration.ts";

/** Pods: what they run is fixed but for a few fields, and one on a node goes only when the node says so. */
export const podRules: KindRules = {
  defaults: (draft) =>
    withTimes({ ...draft, spec: podOnlyDefaults(podSpecDefaults(specOf(draft))) }, [
      "lastProbeTime",
      "lastTransitionTime",
    ]),
  prepareCreate: newPod,
  prepareUpdate: (object, old) => {
    const spec = keepPriority(specOf(object) ?? {}, specOf(old) ?? {});
    return { ...object, spec: { ...spec, tolerations: withNodeTolerations(spec.tolerations ?? []) } };
  },
  prepareStatus: reportedPod,
  validate: podErrors,
  warnings: ({ metadata }) => {
    const problems = dnsLabelProblems(metadata.name);
    const why =
      "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    return problems.length === 0 ? [] : [`metadata.name: ${why}: [${problems.join(" ")}]`];
  },
  validateStatus: podStatusErrors,
  graceSeconds: (object, asked) => {
    const { nodeName = "", terminationGracePeriodSeconds = 0 } = specOf(object) ?? {};
    const { phase } = fieldOf<PodStatus>(object, "status") ?? {};
    if (nodeName === "" || phase === "Failed" || phase === "Succeeded") return 0;
    const seconds = asked ?? Number(terminationGracePeriodSeconds);
    return seconds < 0 ? 1 : seconds;
  },
};

function specOf(object: Parameters<typeof fieldOf>[0]): Loose<PodSpec> | undefined {
  return fieldOf<PodSpec>(object, "spec");
}

function newPod(object: ApiObject, context: RuleContext): ApiObject {
  const given = specOf(object) ?? {};
  const spec = withPriority(
    { ...given, tolerations: withNodeTolerations(given.tolerations ?? []) },
    context.others("priorityclasses.scheduling.k8s.io"),
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

function* podErrors(object: ApiObject, old: ApiObject | undefined): Errors {
  const spec = specOf(object) ?? {};
  yield* podSpecErrors("spec", spec, true);
  yield* tokenErrors(spec);
  for (const field of ["containers", "initContainers"] as const) {
    for (const [index, container] of (spec[field] ?? []).entries()) {
      yield* imageSpaceErrors(`spec.${field}[${index}]`, container);
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

function* tokenErrors(spec: Loose<PodSpec>): Errors {
  if ((spec.serviceAccountName ?? "") !== "") return;
  for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
    for (const [n, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (serviceAccountToken === undefined) continue;
      const at = `spec.volumes[${index}].projected.sources[${n}].serviceAccountToken`;
      yield forbiddenField(at, "must not be specified when serviceAccountName is not set");
    }
  }
}
