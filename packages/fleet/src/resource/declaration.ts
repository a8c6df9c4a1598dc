import type { FleetKind } from "./kind/kind.ts";
import type { FieldProblem } from "./field-problem.ts";
import type { TextMap } from "./resource.ts";

const NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_PART = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_PREFIX = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_KEY_MAX = 255;
const LABEL_PART_MAX = 63;

/** Returns the problems of a new resource's name. */
export function nameProblems({ nameMin, nameMax }: FleetKind, name: string): readonly FieldProblem[] {
  const problem = (message: string, constraint: FieldProblem["constraint"] = "format"): readonly FieldProblem[] => {
    return [{ field: "name", message, value: name, constraint }];
  };
  if (name === "") return problem("name is required", "required");
  if (name.length < nameMin) return problem(`name must be at least ${nameMin} characters`, "min");
  if (name.length > nameMax) return problem(`name must be at most ${nameMax} characters`, "max");
  return NAME.test(name)
    ? []
    : problem("name must consist of lowercase letters, digits and '-', and start and end with a letter or digit");
}

/** Returns the problems of labels: keys and values must be valid Kubernetes labels. */
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

/** Returns the problems of references: unknown types, and too few or too many of a type. */
export function referenceProblems(
  { references }: FleetKind,
  counted: Readonly<Record<string, readonly unknown[]>>,
): readonly FieldProblem[] {
  const unknown = Object.keys(counted).filter((type) => references.every((rule) => rule.type !== type));
  const counts = references.flatMap(({ type, min, max }): readonly FieldProblem[] => {
    const field = `references.${type}`;
    const count = Object.hasOwn(counted, type) ? (counted[type]?.length ?? 0) : 0;
    if (count < min) return [{ field, message: `at least ${min} needed, not ${count}`, constraint: "min" }];
    return max !== undefined && count > max
      ? [{ field, message: `at most ${max} allowed, not ${count}`, constraint: "max" }]
      : [];
  });
  return [...unknown.map((type) => ({ field: `references.${type}`, message: "unknown reference type" })), ...counts];
}
