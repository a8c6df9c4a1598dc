import { accessSync, constants, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Directories of servers on Debian. The RabbitMQ on the PATH is a wrapper that requires its own user, so its directory
 * comes first.
 */
const MORE_FOLDERS = ["/usr/lib/rabbitmq/bin", "/usr/sbin"];
const POSTGRESQL_FOLDERS = "/usr/lib/postgresql/*/bin";

/** Returns the path of a program; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  const postgresql = globSync(POSTGRESQL_FOLDERS).toSorted().toReversed();
  const folders = [...MORE_FOLDERS, ...postgresql, ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
