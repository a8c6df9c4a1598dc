import { PriorityClass } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  forbiddenField,
  invalidField,
  unsupportedField,
  AGE_COLUMN,
  tableColumn,
  integerColumn,
  NAME_COLUMN,
  printer,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";

const USER_MAX = 1_000_000_000;

const POLICIES = ["PreemptLowerPriority", "Never"];

/** Built-in priority classes and values. */
const SYSTEM: Readonly<Record<string, number>> = {
  "system-node-critical": 2 * USER_MAX + 1000,
  "system-cluster-critical": 2 * USER_MAX,
};

/** Strategy of PriorityClasses: the value is immutable and below the system values. */
const priorityClassStrategy: KindStrategy = {
  defaults: (draft) => ({
    ...draft,
    preemptionPolicy: draft["preemptionPolicy"] ?? "PreemptLowerPriority",
  }),
  // Updates do not increment the generation.
  generationFields: () => "nothing",
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

function* createErrors(object: ApiObject): FieldErrors {
  const { name } = object.metadata;
  const value = unvalidatedField<number>(object, "value") ?? 0;
  if (name.startsWith("system-")) {
    const problem = systemProblem(name, value, unvalidatedField<boolean>(object, "globalDefault") ?? false);
    if (problem !== undefined) {
      const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
      yield forbiddenField("metadata.name", why);
    }
  } else if (value > USER_MAX) {
    yield forbiddenField("value", `maximum allowed value of a user defined priority is ${USER_MAX}`);
  }
  const policy = unvalidatedField<string>(object, "preemptionPolicy");
  if (policy !== undefined && !POLICIES.includes(policy)) yield unsupportedField("preemptionPolicy", policy, POLICIES);
}

function systemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = Object.hasOwn(SYSTEM, name) ? SYSTEM[name] : undefined;
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (expected !== value) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

const priorityClassPrinter: Printer = printer<typeof PriorityClass>(
  [
    NAME_COLUMN,
    integerColumn("Value", "Priority of the pods; higher values are scheduled first."),
    tableColumn("Global-Default", "Whether this class is the default.", { type: "boolean" }),
    AGE_COLUMN,
    tableColumn("PreemptionPolicy", "Whether pods of this class preempt others."),
  ],
  (priority) => [priority.value, priority.globalDefault ?? false, priority.preemptionPolicy ?? ""],
);

/** PriorityClasses. */
export const priorityClassResource: Resource = builtinResource({
  kind: PriorityClass,
  hasGeneration: true,
  strategy: priorityClassStrategy,
  printer: priorityClassPrinter,
});
