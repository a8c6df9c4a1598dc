import type { FleetKind } from "./kind.ts";
import type { FieldProblem } from "./problem.ts";
import type { TextMap } from "./resource.ts";

const NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_PART = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_PREFIX = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_KEY_MAX = 255;
const LABEL_PART_MAX = 63;

/** What is wrong with the name of a new resource. */
export function nameProblems({ nameMin, nameMax }: FleetKind, name: string): readonly FieldProblem[] {
  const problem = (message: string, constraint: FieldProblem["constraint"] = "format"): readonly FieldProblem[] => {
    return [{ field: "name", message, value: name, constraint }];
  };
  if (name === "") return problem("name is required", "required");
  if (name.length < nameMin) return problem(`name must be at least ${nameMin} characters`, "min");
  if (name.length > nameMax) return problem(`name must be at most ${nameMax} characters`, "max");
  return NAME.test(name)
    ? []
    : problem("name must have small letters, digits and '-' only, and begin and end with a letter or digit");
}

/** What is wrong with labels: keys and values have the form that Kubernetes gives them. */
export function labelProblems(labels: TextMap): readonly FieldProblem[] {
  return Object.entries(labels).flatMap(([key, value]): readonly FieldProblem[] => {
    const field = `labels.${key}`;
    return [
      ...(isLabelKey(key)
        ? []
        : [
            {
              field,
              message: "label key must be [prefix/]name, alphanumeric with ._-",
              value: key,
              constraint: "format",
            } as const,
          ]),
      ...(isLabelValue(value)
        ? []
        : [
            {
              field,
              message: `label value must be at most ${LABEL_PART_MAX} chars (alphanumeric with ._-)`,
              value,
              constraint: "format",
            } as const,
          ]),
    ];
  });
}

function isLabelKey(key: string): boolean {
  const slash = key.indexOf("/");
  const [prefix, name] = slash === -1 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
  const isPrefix = prefix === undefined || LABEL_PREFIX.test(prefix);
  return key.length <= LABEL_KEY_MAX && isPrefix && name.length <= LABEL_PART_MAX && LABEL_PART.test(name);
}

function isLabelValue(value: string): boolean {
  return value === "" || (value.length <= LABEL_PART_MAX && LABEL_PART.test(value));
}

/** What is wrong with the references of a resource: unknown types, and too few or too many of one. */
export function referenceProblems(
  { references }: FleetKind,
  given: Readonly<Record<string, readonly unknown[]>>,
): readonly FieldProblem[] {
  const unknown = Object.keys(given).filter((type) => references.every((rule) => rule.type !== type));
  const counts = references.flatMap(({ type, min, max }): readonly FieldProblem[] => {
    const field = `references.${type}`;
    const count = Object.hasOwn(given, type) ? (given[type]?.length ?? 0) : 0;
    if (count < min) return [{ field, message: `at least ${min} needed, not ${count}`, constraint: "min" }];
    return max !== undefined && count > max
      ? [{ field, message: `at most ${max} allowed, not ${count}`, constraint: "max" }]
      : [];
  });
  return [...unknown.map((type) => ({ field: `references.${type}`, message: "unknown reference type" })), ...counts];
}
