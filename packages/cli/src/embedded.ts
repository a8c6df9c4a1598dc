import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createApiServer, listen } from "@levelset/apiserver";
import { InputError, realRandom, toError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";

/** An embedded server that listens, with its kubeconfig on disk for as long as it does. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts the embedded API server and writes a kubeconfig for it, readable by its owner alone. */
export async function startServer(options: {
  readonly port: number;
  readonly kubeconfig: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<RunningServer> {
  const { port, clock, logger } = options;
  const server = createApiServer({ clock, random: realRandom, logger });
  const listening = await listen(server, { port, logger }).catch((error: unknown) => {
    throw new InputError(`cannot listen on port ${port}: ${toError(error).message}`, {
      hint: "choose another --port, or 0",
    });
  });
  const path = resolve(options.cwd, options.kubeconfig);
  await mkdir(dirname(path), { recursive: true });
  // A file that is there keeps its mode when it is written over, so it goes first.
  await rm(path, { force: true });
  await writeFile(path, listening.kubeconfig(), { mode: 0o600 });
  return {
    url: listening.url,
    [Symbol.asyncDispose]: async () => {
      await listening.close();
      server.close();
      // Its token is worthless now.
      await rm(path, { force: true });
    },
  };
}
