import type { Lease, PodDisruptionBudget, PriorityClass } from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, integerColumn, NAME_COLUMN, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";

const ABSENT = "N/A";

export const podDisruptionBudgetPrinter: Printer = printer<typeof PodDisruptionBudget>(
  [
    NAME_COLUMN,
    tableColumn("Min Available", "How many pods must stay."),
    tableColumn("Max Unavailable", "How many pods may be missing."),
    integerColumn("Allowed Disruptions", "How many pods may go now."),
    AGE_COLUMN,
  ],
  (budget, now) => [
    budget.metadata.name,
    String(budget.spec?.minAvailable ?? ABSENT),
    String(budget.spec?.maxUnavailable ?? ABSENT),
    budget.status?.disruptionsAllowed ?? 0,
    ageCell(budget, now),
  ],
);

export const priorityClassPrinter: Printer = printer<typeof PriorityClass>(
  [
    NAME_COLUMN,
    integerColumn("Value", "Priority of the pods; higher values are scheduled first."),
    tableColumn("Global-Default", "Whether this class is the default.", { type: "boolean" }),
    AGE_COLUMN,
    tableColumn("PreemptionPolicy", "Whether pods of this class preempt others."),
  ],
  (priority, now) => [
    priority.metadata.name,
    priority.value,
    priority.globalDefault ?? false,
    ageCell(priority, now),
    priority.preemptionPolicy ?? "",
  ],
);

export const leasePrinter: Printer = printer<typeof Lease>(
  [NAME_COLUMN, tableColumn("Holder", "Holder of the lease."), AGE_COLUMN],
  (lease, now) => [lease.metadata.name, lease.spec?.holderIdentity ?? "", ageCell(lease, now)],
);
