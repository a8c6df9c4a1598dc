import type { ClusterRoleBinding, RoleBinding } from "@levelset/core";
import { AGE, ageOf, column, NAME, printer, wide } from "./printer.ts";
import type { Printer } from "./printer.ts";

/** RoleBindings and ClusterRoleBindings. */
export const bindingPrinter: Printer = printer<typeof ClusterRoleBinding | typeof RoleBinding>(
  [
    NAME,
    column("Role", "What is allowed."),
    AGE,
    wide("Users", "Users to whom it is allowed."),
    wide("Groups", "Groups to whom it is allowed."),
    wide("ServiceAccounts", "Service accounts to whom it is allowed."),
  ],
  (binding, now) => {
    const named = (kind: string): string =>
      (binding.subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(({ namespace = "", name }) => (kind === "ServiceAccount" ? `${namespace}/${name}` : name))
        .join(", ");
    return [
      binding.metadata.name,
      `${binding.roleRef.kind}/${binding.roleRef.name}`,
      ageOf(binding, now),
      named("User"),
      named("Group"),
      named("ServiceAccount"),
    ];
  },
);
