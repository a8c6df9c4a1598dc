import { Deadline, parseJson } from "@levelset/core/internal";
import { InputError, isJsonObject } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { Credential, CredentialProvider } from "./cluster-config.ts";

/** A credential plugin as declared in a kubeconfig. */
export interface ExecPlugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly apiVersion: string;
  /** The environment of the program: ours and what the kubeconfig adds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hint that is shown if the program is not installed. */
  readonly installHint?: string;
  /** Cluster info for the program, if provideClusterInfo is set. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

/** Time before expiry at which a credential is renewed in the background. */
const EARLY_MS = 60_000;
const PLUGIN_TIMEOUT_MS = 60_000;
const OUTPUT_MAX_BYTES = 1024 * 1024;

interface Issued {
  readonly credential: Credential;
  /** Undefined: valid for the lifetime of the process. */
  readonly expiry: Deadline | undefined;
}

/**
 * Credentials from an exec plugin. Concurrent requests share one run. The credential is cached and renewed in the
 * background shortly before it expires, so requests do not wait for routine renewals. Rejects with an `InputError` if
 * the plugin fails.
 */
export class ExecCredentials implements CredentialProvider {
  readonly #plugin: ExecPlugin;
  readonly #clock: Clock;
  #issued: Issued | undefined;
  #running: Promise<Issued> | undefined;

  constructor(options: { readonly plugin: ExecPlugin; readonly clock: Clock }) {
    this.#plugin = options.plugin;
    this.#clock = options.clock;
  }

  async current(): Promise<Credential> {
    const issued = this.#issued;
    const leftMs = issued === undefined ? 0 : (issued.expiry?.leftMs ?? Number.POSITIVE_INFINITY);
    if (issued === undefined || leftMs <= 0) return (await this.#renew()).credential;
    if (leftMs <= EARLY_MS) {
      // A failure is ignored here: a request after the expiry runs the plugin again and reports it.
      this.#renew().catch(() => {});
    }
    return issued.credential;
  }

  invalidate(credential: Credential): void {
    if (this.#issued?.credential === credential) this.#issued = undefined;
  }

  #renew(): Promise<Issued> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<Issued> {
    this.#issued = readCredential(this.#plugin, await output(this.#plugin), this.#clock);
    return this.#issued;
  }
}

async function output(plugin: ExecPlugin): Promise<string> {
  const { execFile } = await import("node:child_process");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const info = {
    kind: "ExecCredential",
    apiVersion: plugin.apiVersion,
    spec: { interactive: false, ...(plugin.cluster === undefined ? {} : { cluster: plugin.cluster }) },
  };
  const options = {
    env: { ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    timeout: PLUGIN_TIMEOUT_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
  };
  const child = execFile(plugin.command, plugin.args, options, (error, stdout, stderr) => {
    if (error === null) resolve(stdout);
    else reject(pluginFailure(plugin, error, stderr));
  });
  child.stdin?.end();
  return promise;
}

function pluginFailure(
  plugin: ExecPlugin,
  error: { readonly code?: string | number | null | undefined; readonly killed?: boolean | undefined },
  stderr: string,
): InputError {
  const name = `the credential plugin ${plugin.command}`;
  if (error.code === "ENOENT") {
    const hint = plugin.installHint ?? "install it, or use a context with a certificate or a token";
    return new InputError(`${name} is not installed`, { hint });
  }
  if (error.killed === true) return new InputError(`${name} timed out after ${PLUGIN_TIMEOUT_MS / 1_000} s`);
  // The last line of stderr; never stdout, which may contain a credential.
  const detail = stderr.trim().split("\n").at(-1) ?? "";
  return new InputError(`${name} failed with code ${error.code ?? "unknown"}${detail === "" ? "" : `: ${detail}`}`, {
    hint: "run it by hand; it may ask to log in again",
  });
}

function readCredential(plugin: ExecPlugin, text: string, clock: Clock): Issued {
  const wrong = (what: string): InputError => new InputError(`the credential plugin ${plugin.command} ${what}`);
  let result: unknown;
  try {
    result = parseJson(text);
  } catch {
    throw wrong("did not print JSON");
  }
  if (!isJsonObject(result) || result["kind"] !== "ExecCredential") throw wrong("did not print an ExecCredential");
  if (result["apiVersion"] !== plugin.apiVersion) {
    throw wrong(`printed apiVersion ${String(result["apiVersion"])}, but the kubeconfig asks for ${plugin.apiVersion}`);
  }
  const status = isJsonObject(result["status"]) ? result["status"] : {};
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = status;
  const credential: Credential = {
    ...(typeof token === "string" && token !== "" ? { token } : {}),
    ...(typeof certificate === "string" && typeof key === "string" ? { certificate, key } : {}),
  };
  if ((certificate === undefined) !== (key === undefined))
    throw wrong("returned a certificate without a key, or a key without a certificate");
  if (Object.keys(credential).length === 0) throw wrong("returned neither a token nor a certificate");
  const expiresAt = typeof expirationTimestamp === "string" ? Date.parse(expirationTimestamp) : undefined;
  if (expiresAt !== undefined && Number.isNaN(expiresAt)) throw wrong("returned an invalid expirationTimestamp");
  // The deadline uses both clocks: a wall clock that is set back does not extend it.
  return { credential, expiry: expiresAt === undefined ? undefined : new Deadline(clock, expiresAt - clock.now()) };
}
