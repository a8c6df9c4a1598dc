import type { PodSpec, StatusError } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenError } from "../../../resource/index.ts";
import { isEmptyString } from "../../field-checks.ts";
import { unvalidatedField, omitUndefined } from "../../unvalidated.ts";
import type { Unvalidated } from "../../unvalidated.ts";

/** Fields of a PriorityClass that pods inherit. */
interface Rank {
  readonly name: string;
  readonly priority: number;
  readonly preemptionPolicy: string;
}

const PREEMPTS = "PreemptLowerPriority";

/** Built-in priority classes. */
const SYSTEM: readonly Rank[] = [
  { name: "system-cluster-critical", priority: 2_000_000_000, preemptionPolicy: PREEMPTS },
  { name: "system-node-critical", priority: 2_000_001_000, preemptionPolicy: PREEMPTS },
];

/** Sets the priority from the named or the global default PriorityClass. Throws Forbidden for an unknown class. */
export function withPriority(
  spec: Unvalidated<PodSpec>,
  classes: Iterable<ApiObject>,
  pod: string,
): Unvalidated<PodSpec> {
  const rank = isEmptyString(spec.priorityClassName) ? usual(classes) : named(spec.priorityClassName, classes, pod);
  if (spec.priority !== undefined && spec.priority !== rank.priority) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${rank.priority} from the given PriorityClass name`;
    throw refused(pod, why);
  }
  const { preemptionPolicy } = rank;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    const why = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
    throw refused(pod, why);
  }
  const name = isEmptyString(rank.name) ? {} : { priorityClassName: rank.name };
  return { ...spec, ...name, priority: rank.priority, preemptionPolicy };
}

/**
 * Copies the priority of the old spec if the update omits it (`plugin/pkg/admission/priority/admission.go`, Kubernetes
 * 1.36). Validation rejects any other value.
 */
export function keepPriority(spec: Unvalidated<PodSpec>, old: Unvalidated<PodSpec>): Unvalidated<PodSpec> {
  const priority = spec.priority ?? old.priority;
  const preemptionPolicy = spec.preemptionPolicy ?? old.preemptionPolicy;
  return omitUndefined({ ...spec, priority, preemptionPolicy });
}

function named(name: string, classes: Iterable<ApiObject>, pod: string): Rank {
  for (const object of classes) if (object.metadata.name === name) return rankOf(object);
  const found = SYSTEM.find((rank) => rank.name === name);
  if (found === undefined) throw refused(pod, `no PriorityClass with name ${name} was found`);
  return found;
}

function usual(classes: Iterable<ApiObject>): Rank {
  const defaults = [...classes]
    .filter((object) => unvalidatedField<boolean>(object, "globalDefault") === true)
    .map(rankOf);
  const [least] = defaults.toSorted((a, b) => a.priority - b.priority);
  return least ?? { name: "", priority: 0, preemptionPolicy: PREEMPTS };
}

function rankOf(object: ApiObject): Rank {
  return {
    name: object.metadata.name,
    priority: unvalidatedField<number>(object, "value") ?? 0,
    preemptionPolicy: unvalidatedField<string>(object, "preemptionPolicy") ?? PREEMPTS,
  };
}

function refused(pod: string, why: string): StatusError {
  return forbiddenError({ group: "", plural: "pods" }, pod, why);
}
