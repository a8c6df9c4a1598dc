import type { Volume } from "@levelset/core";
import { forbiddenField, invalidField, requiredField } from "../../../resource/index.ts";
import { fileModeErrors, isEmptyString, requiredStringErrors, localNonReservedPathErrors } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { downwardFileErrors, itemErrors } from "./volume-file.ts";

type Projected = NonNullable<Unvalidated<Volume>["projected"]>;
type Source = NonNullable<Projected["sources"]>[number];

const TOKEN_SECONDS_MIN = 600;
const TOKEN_SECONDS_MAX = 2 ** 32;

/** Validates a projected volume: each source, and no conflicting paths. */
export function* projectedErrors(path: string, projected: Projected): FieldErrors {
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

function* sourceErrors(path: string, source: Source): FieldErrors {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source;
  if (secret !== undefined) {
    yield* requiredStringErrors(`${path}.secret.name`, secret.name);
    yield* itemErrors(`${path}.secret.items`, secret.items ?? []);
  }
  if (configMap !== undefined) {
    yield* requiredStringErrors(`${path}.configMap.name`, configMap.name);
    yield* itemErrors(`${path}.configMap.items`, configMap.items ?? []);
  }
  for (const item of downwardAPI?.items ?? []) yield* downwardFileErrors(`${path}.downwardAPI`, item);
  if (token !== undefined) yield* tokenErrors(`${path}.serviceAccountToken`, token);
  const count = Object.values(source).filter((given) => given !== undefined).length;
  if (count === 0) yield requiredField(path, "must specify a volume source");
  if (count > 1) yield forbiddenField(path, "may not specify more than 1 volume type per source");
}

function* tokenErrors(path: string, token: NonNullable<Source["serviceAccountToken"]>): FieldErrors {
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
  if (isEmptyString(token.path)) yield requiredField(`${path}.path`);
  else yield* localNonReservedPathErrors(`${path}.path`, token.path);
}

/** Returns the paths that a source certainly writes, with the name of the source in error messages. */
function filesOf(source: Source): readonly (readonly [file: string, of: string])[] {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source;
  const named = [
    ...(secret?.items ?? []).map((item) => [item.path, secret?.name] as const),
    ...(configMap?.items ?? []).map((item) => [item.path, configMap?.name] as const),
    ...(downwardAPI?.items ?? []).map((item) => [item.path, item.path] as const),
    [token?.path, token?.path] as const,
  ];
  return named.flatMap(([file, of = ""]) => (isEmptyString(file) ? [] : [[file, of] as const]));
}
