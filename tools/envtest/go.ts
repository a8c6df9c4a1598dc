import { runCommand } from "./command.ts";
import { EnvtestError, messageOf } from "./errors.ts";
import { KUBERNETES_VERSION } from "./location.ts";
import type { Environment, GoPlatform } from "./location.ts";

export interface GoOptions {
  readonly env: Environment;
  readonly target: GoPlatform;
  /** Working directory of commands, without a go.mod above it. */
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
}

/** A downloaded module. */
export interface DownloadedModule {
  /** Path of its go.mod. */
  readonly goMod: string;
  /** Path of a JSON file with its version and time. */
  readonly info: string;
}

const OTHERWISE = "or set KUBEBUILDER_ASSETS to a directory with ready binaries";

/** Returns a one-line error if Go is older than the sources require. */
export function goTooOld(have: string, want: string): EnvtestError {
  const problem = `Kubernetes ${KUBERNETES_VERSION} needs Go ${want} or newer, but ${have} is installed`;
  return new EnvtestError(`${problem}: install a newer one, ${OTHERWISE}.`);
}

/** The go tool with a fixed target and directory. The user's caches and proxy settings apply. */
export class Go {
  readonly #options: GoOptions;

  constructor(options: GoOptions) {
    this.#options = options;
  }

  /** Runs a go command and returns its output. Throws a one-line error if Go is missing or too old. */
  async run(...args: readonly string[]): Promise<string> {
    const { env, target, cwd, signal } = this.#options;
    try {
      return await runCommand({
        command: "go",
        args,
        cwd,
        // A workspace or cross-compilation setting of the user must not change the build.
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
    const result: unknown = JSON.parse(await this.run("mod", "download", "-json", `${path}@${version}`));
    if (typeof result === "object" && result !== null && "GoMod" in result && "Info" in result) {
      return { goMod: String(result.GoMod), info: String(result.Info) };
    }
    throw new EnvtestError(`The go tool did not report the location of ${path} ${version}.`);
  }
}
