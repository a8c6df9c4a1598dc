import { deepEqual } from "@levelset/core";
import type { RoleRef, Subject } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import type { Draft } from "../../draft.ts";
import { invalidField, requiredField, unsupportedField } from "../../field.ts";
import { dnsSubdomainProblems, pathSegmentProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { isBlank, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

const GROUP = "rbac.authorization.k8s.io";

/** RoleBindings: a role of the namespace or of the cluster, set once. */
export const roleBindingRules: KindRules = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: withDefaults,
  validate: (object, old) => bindingErrors(object, old, ["Role", "ClusterRole"]),
};

/** ClusterRoleBindings: a role of the cluster, set once. */
export const clusterRoleBindingRules: KindRules = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: withDefaults,
  validate: (object, old) => bindingErrors(object, old, ["ClusterRole"]),
};

function withDefaults(draft: Draft): Draft {
  const roleRef = fieldOf<RoleRef>(draft, "roleRef") ?? {};
  const subjects = fieldOf<readonly Subject[]>(draft, "subjects");
  const apiGroup = isBlank(roleRef.apiGroup) ? GROUP : roleRef.apiGroup;
  return {
    ...draft,
    roleRef: { apiGroup, kind: roleRef.kind ?? "", name: roleRef.name ?? "" },
    ...(subjects === undefined || subjects.length === 0 ? {} : { subjects: subjects.map(withGroup) }),
  };
}

function withGroup(subject: Loose<Subject>): Loose<Subject> {
  const isPerson = subject.kind === "User" || subject.kind === "Group";
  return isPerson && isBlank(subject.apiGroup) ? { ...subject, apiGroup: GROUP } : subject;
}

function* bindingErrors(object: ApiObject, old: ApiObject | undefined, kinds: readonly string[]): Errors {
  const { apiGroup = "", kind = "", name } = fieldOf<RoleRef>(object, "roleRef") ?? {};
  if (apiGroup !== GROUP) yield unsupportedField("roleRef.apiGroup", apiGroup, [GROUP]);
  if (!kinds.includes(kind)) yield unsupportedField("roleRef.kind", kind, kinds);
  if (isBlank(name)) yield requiredField("roleRef.name");
  else yield* textErrors("roleRef.name", name, pathSegmentProblems);
  const isNamespaced = object.metadata.namespace !== undefined;
  for (const [index, subject] of (fieldOf<readonly Subject[]>(object, "subjects") ?? []).entries()) {
    yield* subjectErrors(`subjects[${index}]`, subject, isNamespaced);
  }
  if (old !== undefined && !deepEqual(object["roleRef"], old["roleRef"])) {
    yield invalidField("roleRef", object["roleRef"], "cannot change roleRef");
  }
}

function* subjectErrors(path: string, subject: Loose<Subject>, isNamespaced: boolean): Errors {
  const { kind = "", name, apiGroup = "", namespace } = subject;
  if (isBlank(name)) yield requiredField(`${path}.name`);
  switch (kind) {
    case "ServiceAccount":
      if (!isBlank(name)) yield* textErrors(`${path}.name`, name, dnsSubdomainProblems);
      if (apiGroup !== "") yield unsupportedField(`${path}.apiGroup`, apiGroup, [""]);
      if (!isNamespaced && isBlank(namespace)) yield requiredField(`${path}.namespace`);
      return;
    case "User":
    case "Group":
      if (apiGroup !== GROUP) yield unsupportedField(`${path}.apiGroup`, apiGroup, [GROUP]);
      return;
    default:
      yield unsupportedField(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"]);
  }
}
