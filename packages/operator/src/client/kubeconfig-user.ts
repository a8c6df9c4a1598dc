import type { X509Certificate } from "node:crypto";
import type { Clock } from "@levelset/core";
import { fixedCredentials } from "./access.ts";
import type { Credential, Credentials } from "./access.ts";
import { ExecCredentials } from "./exec-credentials.ts";
import type { ExecPlugin } from "./exec-credentials.ts";
import { FileSource, tokenFileCredentials } from "./file-source.ts";
import { fieldsOf, isFields, kubeconfigError, pathOf, pemOf, textOf } from "./kubeconfig-entry.ts";
import type { Entry, Fields } from "./kubeconfig-entry.ts";

/** What credentials of a kubeconfig depend on besides. */
export interface UserContext {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For error texts. */
  readonly context: string;
}

const EXEC_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/** The credentials of a kubeconfig's user: certificate, token, token file or plugin. Nothing for no user. */
export async function userCredentials(
  user: Entry | undefined,
  cluster: Entry,
  context: UserContext,
): Promise<Credentials> {
  if (user === undefined) return fixedCredentials({});
  const { fields, file } = user;
  for (const unsupported of ["auth-provider", "username", "as"]) {
    if (fields[unsupported] === undefined) continue;
    const hint = "use a context with a client certificate, a token or an exec plugin";
    throw kubeconfigError(file, `credentials by ${unsupported} are not supported`, hint);
  }
  const certificate = await clientCertificate(user, context);
  const exec = fields["exec"];
  if (isFields(exec)) {
    if (certificate !== undefined) throw kubeconfigError(file, "a user has both exec and a client certificate");
    return new ExecCredentials({ plugin: execPlugin(user, exec, cluster, context.env), clock: context.clock });
  }
  const path = pathOf(user, "tokenFile");
  if (path === undefined) {
    const token = textOf(fields, "token");
    return fixedCredentials({ ...certificate, ...(token === undefined ? {} : { token }) });
  }
  // As kubectl: a token that stands in the file comes second to one read from a file.
  const onMissing = (): Error =>
    kubeconfigError(file, `tokenFile names ${textOf(fields, "tokenFile")}, which cannot be read`);
  const tokens = tokenFileCredentials(new FileSource({ path, clock: context.clock, onMissing }));
  return certificate === undefined
    ? tokens
    : { ...tokens, current: async () => ({ ...certificate, ...(await tokens.current()) }) };
}

async function clientCertificate(user: Entry, context: UserContext): Promise<Credential | undefined> {
  const certificate = await pemOf(user, "client-certificate");
  const key = await pemOf(user, "client-key");
  if ((certificate === undefined) !== (key === undefined)) {
    throw kubeconfigError(user.file, "a client certificate needs its key, and a key its certificate");
  }
  if (certificate === undefined || key === undefined) return undefined;
  let parsed: X509Certificate;
  try {
    const crypto = await import("node:crypto");
    parsed = new crypto.X509Certificate(certificate);
  } catch {
    throw kubeconfigError(user.file, "the client certificate cannot be read as PEM");
  }
  if (parsed.validToDate.getTime() < context.clock.now()) {
    throw kubeconfigError(
      user.file,
      `the client certificate of context ${context.context} expired on ${parsed.validToDate.toISOString()}`,
      "have a new one issued, or choose another context with --context NAME",
    );
  }
  return { certificate, key };
}

function execPlugin(user: Entry, exec: Fields, cluster: Entry, env: UserContext["env"]): ExecPlugin {
  const problem = (message: string): Error => kubeconfigError(user.file, message);
  const command = textOf(exec, "command");
  if (command === undefined) throw problem("exec names no command");
  const apiVersion = textOf(exec, "apiVersion") ?? "";
  if (!EXEC_VERSIONS.includes(apiVersion)) {
    throw problem(`exec has the apiVersion "${apiVersion}", which is none of ${EXEC_VERSIONS.join(", ")}`);
  }
  if (exec["interactiveMode"] === "Always")
    throw problem(`exec plugin ${command} asks for a terminal, which is not given`);
  const args = exec["args"];
  const installHint = textOf(exec, "installHint");
  const added = fieldsOf(exec["env"]).map((each) => [textOf(each, "name") ?? "", textOf(each, "value") ?? ""]);
  return {
    // As kubectl: a command with a slash is a path beside the kubeconfig, any other is looked up in PATH.
    command: command.includes("/") ? (pathOf({ ...user, fields: exec }, "command") ?? command) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    apiVersion,
    env: { ...env, ...Object.fromEntries(added) },
    ...(installHint === undefined ? {} : { installHint }),
    ...(exec["provideClusterInfo"] === true ? { cluster: cluster.fields } : {}),
  };
}
