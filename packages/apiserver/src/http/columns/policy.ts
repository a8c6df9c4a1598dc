import type { Lease, PodDisruptionBudget, PriorityClass } from "@levelset/core";
import { AGE, ageOf, column, counter, NAME, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";

const ABSENT = "N/A";

export const podDisruptionBudgetPrinter: Printer = printer<typeof PodDisruptionBudget>(
  [
    NAME,
    column("Min Available", "How many pods must stay."),
    column("Max Unavailable", "How many pods may be missing."),
    counter("Allowed Disruptions", "How many pods may go now."),
    AGE,
  ],
  (budget, now) => [
    budget.metadata.name,
    String(budget.spec?.minAvailable ?? ABSENT),
    String(budget.spec?.maxUnavailable ?? ABSENT),
    budget.status?.disruptionsAllowed ?? 0,
    ageOf(budget, now),
  ],
);

export const priorityClassPrinter: Printer = printer<typeof PriorityClass>(
  [
    NAME,
    counter("Value", "The larger, the more urgent."),
    column("Global-Default", "Whether pods without a class get this one.", { type: "boolean" }),
    AGE,
    column("PreemptionPolicy", "Whether its pods push others out."),
  ],
  (priority, now) => [
    priority.metadata.name,
    priority.value,
    priority.globalDefault ?? false,
    ageOf(priority, now),
    priority.preemptionPolicy ?? "",
  ],
);

export const leasePrinter: Printer = printer<typeof Lease>(
  [NAME, column("Holder", "Who has it."), AGE],
  (lease, now) => [lease.metadata.name, lease.spec?.holderIdentity ?? "", ageOf(lease, now)],
);
