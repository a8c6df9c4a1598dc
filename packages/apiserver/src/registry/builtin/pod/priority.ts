import type { PodSpec, StatusError } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbidden } from "../../failure.ts";
import { isBlank } from "../check.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";

/** How important a class of pods is. */
interface Rank {
  readonly name: string;
  readonly priority: number;
  readonly preemptionPolicy: string;
}

const PREEMPTS = "PreemptLowerPriority";

/** Classes that every cluster has. */
const SYSTEM: readonly Rank[] = [
  { name: "system-cluster-critical", priority: 2_000_000_000, preemptionPolicy: PREEMPTS },
  { name: "system-node-critical", priority: 2_000_001_000, preemptionPolicy: PREEMPTS },
];

/** The spec with the priority of its class, or of the class that is meant where none is named. Throws Forbidden. */
export function withPriority(spec: Loose<PodSpec>, classes: Iterable<ApiObject>, pod: string): Loose<PodSpec> {
  const rank = isBlank(spec.priorityClassName) ? usual(classes) : named(spec.priorityClassName, classes, pod);
  if (spec.priority !== undefined && spec.priority !== rank.priority) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${rank.priority} from the given PriorityClass name`;
    throw refused(pod, why);
  }
  const { preemptionPolicy } = rank;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    const why = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
    throw refused(pod, why);
  }
  const name = isBlank(rank.name) ? {} : { priorityClassName: rank.name };
  return { ...spec, ...name, priority: rank.priority, preemptionPolicy };
}

/**
 * The changed spec with the priority that the pod has, where its writer leaves it out: see admitPod in
 * plugin/pkg/admission/priority. Validation refuses any other.
 */
export function keepPriority(spec: Loose<PodSpec>, old: Loose<PodSpec>): Loose<PodSpec> {
  const priority = spec.priority ?? old.priority;
  const preemptionPolicy = spec.preemptionPolicy ?? old.preemptionPolicy;
  return present({ ...spec, priority, preemptionPolicy });
}

function named(name: string, classes: Iterable<ApiObject>, pod: string): Rank {
  for (const object of classes) if (object.metadata.name === name) return rankOf(object);
  const found = SYSTEM.find((rank) => rank.name === name);
  if (found === undefined) throw refused(pod, `no PriorityClass with name ${name} was found`);
  return found;
}

function usual(classes: Iterable<ApiObject>): Rank {
  const defaults = [...classes].filter((object) => fieldOf<boolean>(object, "globalDefault") === true).map(rankOf);
  const [least] = defaults.toSorted((a, b) => a.priority - b.priority);
  return least ?? { name: "", priority: 0, preemptionPolicy: PREEMPTS };
}

function rankOf(object: ApiObject): Rank {
  return {
    name: object.metadata.name,
    priority: fieldOf<number>(object, "value") ?? 0,
    preemptionPolicy: fieldOf<string>(object, "preemptionPolicy") ?? PREEMPTS,
  };
}

function refused(pod: string, why: string): StatusError {
  return forbidden({ group: "", plural: "pods" }, pod, why);
}
