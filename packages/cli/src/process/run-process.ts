import { InputError } from "@levelset/core";
import { readTokenFile } from "../files/index.ts";
import type { Shell } from "../terminal/index.ts";
import { readRunFiles, thisMachine } from "./run-file.ts";
import type { RunFile } from "./run-file.ts";

/** An operator process that serves its runs. */
export type RunProcess = Pick<RunFile, "url" | "token" | "server"> & Partial<Pick<RunFile, "pid" | "operators">>;

/** Flags that select a process. */
export interface ProcessFlags {
  readonly url?: string;
  readonly tokenFile?: string;
}

/** Returns the process of the flags, else the processes of this user on this machine. */
export async function findProcesses(flags: ProcessFlags, shell: Shell): Promise<readonly RunProcess[]> {
  const { url, tokenFile } = flags;
  if (url === undefined && tokenFile !== undefined) throw new InputError("--token-file has no effect without --url");
  if (url === undefined) return readRunFiles(thisMachine(shell.env));
  if (!URL.canParse(url) || !/^https?:/u.test(url)) {
    throw new InputError(`${JSON.stringify(url)} is not an address`, {
      hint: "write a URL such as http://127.0.0.1:8080",
    });
  }
  return [{ url, ...(tokenFile === undefined ? {} : { token: await readTokenFile(tokenFile, shell.cwd) }) }];
}

/** Reports whether a process may belong to a cluster: other clusters may have objects of the same names. */
export function worksOnCluster({ server }: RunProcess, url: string): boolean {
  return server === undefined || new URL(server).href === new URL(url).href;
}

/** Describes a process: `pid 4711 at http://127.0.0.1:8080 (simple)`. */
export function describeProcess({ pid, url, operators = [] }: RunProcess): string {
  const names = operators.length === 0 ? "" : ` (${operators.join(", ")})`;
  return `${pid === undefined ? "" : `pid ${pid} at `}${url}${names}`;
}
