import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField, unsupportedField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";

const USER_MAX = 1_000_000_000;
const POLICIES = ["PreemptLowerPriority", "Never"];

/** The classes that the system itself uses, and their values. */
const SYSTEM: Readonly<Record<string, number>> = {
  "system-node-critical": 2 * USER_MAX + 1000,
  "system-cluster-critical": 2 * USER_MAX,
};

/** PriorityClasses: a value that is set once, below those of the system. */
export const priorityClassRules: KindRules = {
  defaults: (draft) => ({
    ...draft,
    value: draft["value"] ?? 0,
    preemptionPolicy: draft["preemptionPolicy"] ?? "PreemptLowerPriority",
  }),
  // What may change does not count.
  declaration: () => "nothing",
  *validate(object, old) {
    if (old === undefined) {
      yield* createErrors(object);
      return;
    }
    if (object["value"] !== old["value"]) yield forbiddenField("value", "may not be changed in an update.");
    if (object["preemptionPolicy"] !== old["preemptionPolicy"]) {
      yield invalidField("preemptionPolicy", object["preemptionPolicy"], "field is immutable");
    }
  },
};

function* createErrors(object: ApiObject): Errors {
  const { name } = object.metadata;
  const value = fieldOf<number>(object, "value") ?? 0;
  if (name.startsWith("system-")) {
    const problem = systemProblem(name, value, fieldOf<boolean>(object, "globalDefault") ?? false);
    if (problem !== undefined) {
      const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
      yield forbiddenField("metadata.name", why);
    }
  } else if (value > USER_MAX) {
    yield forbiddenField("value", `maximum allowed value of a user defined priority is ${USER_MAX}`);
  }
  const policy = fieldOf<string>(object, "preemptionPolicy");
  if (policy !== undefined && !POLICIES.includes(policy)) yield unsupportedField("preemptionPolicy", policy, POLICIES);
}

function systemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = Object.hasOwn(SYSTEM, name) ? SYSTEM[name] : undefined;
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (expected !== value) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
