/** Returns the summary line of a run. */
export function summaryLine(report: unknown): string {
  const count = (name: string): number => Number(field(report, name) ?? 0);
  const skipped = skippedTests(report).length;
  const rest = skipped === 0 ? "" : `, ${skipped} skipped`;
  return `${count("numPassedTests")} passed, ${count("numFailedTests")} failed${rest}`;
}

/** Returns the names of skipped tests from vitest's JSON report. */
export function skippedTests(report: unknown): readonly string[] {
  return listOf(report, "testResults").flatMap((file) =>
    listOf(file, "assertionResults")
      .filter((result) => field(result, "status") !== "passed" && field(result, "status") !== "failed")
      .map((result) => String(field(result, "fullName"))),
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}
