import type { Volume } from "@levelset/core";
import { forbiddenField, invalidField, requiredField } from "../../field.ts";
import { fileModeErrors, isBlank, neededText, plainPathErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";
import { downwardFileErrors, itemErrors } from "./volume-file.ts";

type Projected = NonNullable<Loose<Volume>["projected"]>;
type Source = NonNullable<Projected["sources"]>[number];

const TOKEN_SECONDS_MIN = 600;
const TOKEN_SECONDS_MAX = 2 ** 32;

/** Several sources in one directory: each is good, and no two write the same file. */
export function* projectedErrors(path: string, projected: Projected): Errors {
  yield* fileModeErrors(`${path}.defaultMode`, projected.defaultMode);
  const files = new Map<string, string>();
  for (const [index, source] of (projected.sources ?? []).entries()) {
    const at = `${path}.sources[${index}]`;
    yield* sourceErrors(at, source);
    for (const [file, of] of filesOf(source)) {
      if (files.has(file)) yield invalidField(path, of, "conflicting duplicate paths");
      files.set(file, of);
    }
  }
}

function* sourceErrors(path: string, source: Source): Errors {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source;
  if (secret !== undefined) {
    yield* neededText(`${path}.secret.name`, secret.name);
    yield* itemErrors(`${path}.secret.items`, secret.items ?? []);
  }
  if (configMap !== undefined) {
    yield* neededText(`${path}.configMap.name`, configMap.name);
    yield* itemErrors(`${path}.configMap.items`, configMap.items ?? []);
  }
  for (const item of downwardAPI?.items ?? []) yield* downwardFileErrors(`${path}.downwardAPI`, item);
  if (token !== undefined) yield* tokenErrors(`${path}.serviceAccountToken`, token);
  const count = Object.values(source).filter((given) => given !== undefined).length;
  if (count === 0) yield requiredField(path, "must specify a volume source");
  if (count > 1) yield forbiddenField(path, "may not specify more than 1 volume type per source");
}

function* tokenErrors(path: string, token: NonNullable<Source["serviceAccountToken"]>): Errors {
  const { expirationSeconds = 0 } = token;
  if (expirationSeconds < TOKEN_SECONDS_MIN) {
    yield invalidField(
      `${path}.expirationSeconds`,
      expirationSeconds,
      "may not specify a duration less than 10 minutes",
    );
  }
  if (expirationSeconds > TOKEN_SECONDS_MAX) {
    yield invalidField(
      `${path}.expirationSeconds`,
      expirationSeconds,
      "may not specify a duration larger than 2^32 seconds",
    );
  }
  if (isBlank(token.path)) yield requiredField(`${path}.path`);
  else yield* plainPathErrors(`${path}.path`, token.path);
}

/** The files that a source is sure to write, and what the real server calls their origin. */
function filesOf(source: Source): readonly (readonly [file: string, of: string])[] {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source;
  const named = [
    ...(secret?.items ?? []).map((item) => [item.path, secret?.name] as const),
    ...(configMap?.items ?? []).map((item) => [item.path, configMap?.name] as const),
    ...(downwardAPI?.items ?? []).map((item) => [item.path, item.path] as const),
    [token?.path, token?.path] as const,
  ];
  return named.flatMap(([file, of = ""]) => (isBlank(file) ? [] : [[file, of] as const]));
}
