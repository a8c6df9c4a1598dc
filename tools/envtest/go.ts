import { runCommand } from "./command.ts";
import { EnvtestError, messageOf } from "./errors.ts";
import { KUBERNETES_VERSION } from "./location.ts";
import type { Environment, Target } from "./location.ts";

export interface GoOptions {
  readonly env: Environment;
  readonly target: Target;
  /** Where commands run: a directory of its own, so that no go.mod above it counts. */
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
}

/** A downloaded module, as far as a build needs it. */
export interface DownloadedModule {
  /** Path of its go.mod. */
  readonly goMod: string;
  /** Path of a JSON file with its version and time. */
  readonly info: string;
}

const OTHERWISE = "or set KUBEBUILDER_ASSETS to a directory with ready binaries";

/** An error in one line for a Go that is older than the sources ask for. */
export function goTooOld(have: string, want: string): EnvtestError {
  const problem = `Kubernetes ${KUBERNETES_VERSION} needs Go ${want} or newer and this is ${have}`;
  return new EnvtestError(`${problem}: install a newer one, ${OTHERWISE}.`);
}

/** The go tool with a fixed target and directory. The user's own caches and proxy settings stay in force. */
export class Go {
  readonly #options: GoOptions;

  constructor(options: GoOptions) {
    this.#options = options;
  }

  /** Runs one go command and gives its output. Throws in one line when Go is not installed or too old. */
  async run(...args: readonly string[]): Promise<string> {
    const { env, target, cwd, signal } = this.#options;
    try {
      return await runCommand({
        command: "go",
        args,
        cwd,
        // A workspace or a cross-compiling setting of the user's must not change what is built.
        env: { ...env, GOWORK: "off", CGO_ENABLED: "0", GOOS: target.os, GOARCH: target.arch },
        signal,
        notFound: `Go is not installed (no \`go\` on the PATH): install it, ${OTHERWISE}.`,
      });
    } catch (error) {
      // The sign may be escaped: the go tool reports this in JSON or in plain text.
      const [, want, have] = /requires go (?:>|\\u003e)= (\S+) \(running go (\S+?)[;)]/.exec(messageOf(error)) ?? [];
      if (want === undefined || have === undefined) throw error;
      throw goTooOld(have, want);
    }
  }

  /** The release that would build here, for instance `go1.26.8`. */
  async version(): Promise<string> {
    return (await this.run("env", "GOVERSION")).trim();
  }

  async download(path: string, version: string): Promise<DownloadedModule> {
    const answer: unknown = JSON.parse(await this.run("mod", "download", "-json", `${path}@${version}`));
    if (typeof answer === "object" && answer !== null && "GoMod" in answer && "Info" in answer) {
      return { goMod: String(answer.GoMod), info: String(answer.Info) };
    }
    throw new EnvtestError(`The go tool did not say where it put ${path} ${version}.`);
  }
}
