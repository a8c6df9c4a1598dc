import { readFile } from "node:fs/promises";

/** Result of one test. A file that fails outside its tests, for example to load, has one result without a name. */
export interface TestResult {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Titles of its suites and its own, joined with ` > `; empty for a failure outside tests. */
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** The error of a failure outside tests. */
  readonly message?: string;
}

/** Result of one run of vitest, as {@link file://./report-writer.ts} writes it. */
export interface TestReport {
  readonly tests: readonly TestResult[];
  /** Duration of each file, in milliseconds. */
  readonly durations: Readonly<Record<string, number>>;
  /** Messages of errors that belong to no file. They fail the run. */
  readonly unhandledErrors: readonly string[];
}

/** Reads a report; undefined if vitest ended without one. */
export async function readReport(path: string): Promise<TestReport | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as TestReport; // written by our own reporter
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
