import { deepEqual } from "@levelset/core";
import type { RoleRef, Subject } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import type { UnvalidatedObject } from "../../unvalidated-object.ts";
import { invalidField, requiredField, unsupportedField } from "../../field-errors.ts";
import { dnsSubdomainProblems, pathSegmentProblems } from "../../name-validation.ts";
import type { KindStrategy } from "../../strategy.ts";
import { isEmptyString, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Strategy of RoleBindings: the roleRef is immutable. */
export const roleBindingStrategy: KindStrategy = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: withDefaults,
  validate: (object, old) => bindingErrors(object, old, ["Role", "ClusterRole"]),
};

/** Strategy of ClusterRoleBindings: the roleRef must be a ClusterRole and is immutable. */
export const clusterRoleBindingStrategy: KindStrategy = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: withDefaults,
  validate: (object, old) => bindingErrors(object, old, ["ClusterRole"]),
};

function withDefaults(draft: UnvalidatedObject): UnvalidatedObject {
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

function* bindingErrors(object: ApiObject, old: ApiObject | undefined, kinds: readonly string[]): FieldErrors {
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
