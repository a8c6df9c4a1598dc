import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ServerAccess } from "./connection.ts";

/** The server of a run. */
export type ServerName = "ours" | "real";

/** A server that the suite runs against. */
export interface ConformanceServer extends AsyncDisposable {
  readonly name: ServerName;
  readonly access: ServerAccess;
  readonly kubeconfig: string;
  /** Directory for client files; removed with the server. */
  readonly directory: string;
}

/** kubectl's home is the parent of the case directories, so that its discovery cache is shared. */
export async function workDirectory(parent: string): Promise<string> {
  const directory = join(parent, "work");
  await mkdir(directory);
  return directory;
}
