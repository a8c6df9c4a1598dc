import { deepEqual } from "@levelset/core/internal";
import { RoleBinding } from "@levelset/core";
import type { RoleRef, Subject, ClusterRoleBinding } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { UnvalidatedObject, KindStrategy, Printer, Resource } from "../../resource/index.ts";
import {
  invalidField,
  requiredField,
  unsupportedField,
  dnsSubdomainProblems,
  pathSegmentProblems,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
  builtinResource,
} from "../../resource/index.ts";
import { isEmptyString, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Strategy of RoleBindings: the roleRef is immutable. */
const roleBindingStrategy: KindStrategy = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: withBindingDefaults,
  validate: (object, old) => bindingErrors(object, old, ["Role", "ClusterRole"]),
};

export function withBindingDefaults(draft: UnvalidatedObject): UnvalidatedObject {
  const roleRef = unvalidatedField<RoleRef>(draft, "roleRef") ?? {};
  const subjects = unvalidatedField<readonly Subject[]>(draft, "subjects");
  const apiGroup = isEmptyString(roleRef.apiGroup) ? GROUP : roleRef.apiGroup;
  return {
    ...draft,
    roleRef: { apiGroup, kind: roleRef.kind ?? "", name: roleRef.name ?? "" },
    ...(subjects === undefined || subjects.length === 0 ? {} : { subjects: subjects.map(withGroup) }),
  };
}

function withGroup(subject: Unvalidated<Subject>): Unvalidated<Subject> {
  const isPerson = subject.kind === "User" || subject.kind === "Group";
  return isPerson && isEmptyString(subject.apiGroup) ? { ...subject, apiGroup: GROUP } : subject;
}

export function* bindingErrors(object: ApiObject, old: ApiObject | undefined, kinds: readonly string[]): FieldErrors {
  const { apiGroup = "", kind = "", name } = unvalidatedField<RoleRef>(object, "roleRef") ?? {};
  if (apiGroup !== GROUP) yield unsupportedField("roleRef.apiGroup", apiGroup, [GROUP]);
  if (!kinds.includes(kind)) yield unsupportedField("roleRef.kind", kind, kinds);
  if (isEmptyString(name)) yield requiredField("roleRef.name");
  else yield* stringErrors("roleRef.name", name, pathSegmentProblems);
  const isNamespaced = object.metadata.namespace !== undefined;
  for (const [index, subject] of (unvalidatedField<readonly Subject[]>(object, "subjects") ?? []).entries()) {
    yield* subjectErrors(`subjects[${index}]`, subject, isNamespaced);
  }
  if (old !== undefined && !deepEqual(object["roleRef"], old["roleRef"])) {
    yield invalidField("roleRef", object["roleRef"], "cannot change roleRef");
  }
}

function* subjectErrors(path: string, subject: Unvalidated<Subject>, isNamespaced: boolean): FieldErrors {
  const { kind = "", name, apiGroup = "", namespace } = subject;
  if (isEmptyString(name)) yield requiredField(`${path}.name`);
  switch (kind) {
    case "ServiceAccount":
      if (!isEmptyString(name)) yield* stringErrors(`${path}.name`, name, dnsSubdomainProblems);
      if (apiGroup !== "") yield unsupportedField(`${path}.apiGroup`, apiGroup, [""]);
      if (!isNamespaced && isEmptyString(namespace)) yield requiredField(`${path}.namespace`);
      return;
    case "User":
    case "Group":
      if (apiGroup !== GROUP) yield unsupportedField(`${path}.apiGroup`, apiGroup, [GROUP]);
      return;
    default:
      yield unsupportedField(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"]);
  }
}

/** RoleBindings and ClusterRoleBindings. */
export const bindingPrinter: Printer = printer<typeof ClusterRoleBinding | typeof RoleBinding>(
  [
    NAME_COLUMN,
    tableColumn("Role", "The bound role."),
    AGE_COLUMN,
    wideColumn("Users", "Users of the binding."),
    wideColumn("Groups", "Groups of the binding."),
    wideColumn("ServiceAccounts", "Service accounts of the binding."),
  ],
  (binding) => {
    const named = (kind: string): string =>
      (binding.subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(({ namespace = "", name }) => (kind === "ServiceAccount" ? `${namespace}/${name}` : name))
        .join(", ");
    return [`${binding.roleRef.kind}/${binding.roleRef.name}`, named("User"), named("Group"), named("ServiceAccount")];
  },
);

/** RoleBindings. */
export const roleBindingResource: Resource = builtinResource({
  kind: RoleBinding,
  strategy: roleBindingStrategy,
  printer: bindingPrinter,
});
