import type { ClusterRoleBinding, RoleBinding } from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, NAME_COLUMN, printer, wideColumn } from "./printer.ts";
import type { Printer } from "./printer.ts";

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
  (binding, now) => {
    const named = (kind: string): string =>
      (binding.subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(({ namespace = "", name }) => (kind === "ServiceAccount" ? `${namespace}/${name}` : name))
        .join(", ");
    return [
      binding.metadata.name,
      `${binding.roleRef.kind}/${binding.roleRef.name}`,
      ageCell(binding, now),
      named("User"),
      named("Group"),
      named("ServiceAccount"),
    ];
  },
);
