import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Access } from "./connection.ts";

/** Which server a run is against. */
export type TargetName = "ours" | "real";

/** A server that the suite runs against. */
export interface ConformanceTarget extends AsyncDisposable {
  readonly name: TargetName;
  readonly access: Access;
  readonly kubeconfig: string;
  /** For files of clients; goes with the target. */
  readonly directory: string;
}

/** kubectl's home is the directory above those of the cases: what it learns about the server is kept for all. */
export async function workDirectory(parent: string): Promise<string> {
  const directory = join(parent, "work");
  await mkdir(directory);
  return directory;
}
