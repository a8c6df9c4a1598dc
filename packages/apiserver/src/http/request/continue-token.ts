import { isJsonObject } from "@levelset/core";
import { JsonError, parseJson } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import { badRequestError } from "../../resource/index.ts";

/** Position of the next page: the first object with a key of at least `start`. */
export interface ContinueToken {
  /** Revision of the first page; undefined for the latest. */
  readonly revision: number | undefined;
  readonly start: string;
}

const VERSION = "meta.k8s.io/v1";
/** Encodes the latest revision in a token. */
const LATEST = -1;

/** Encodes the continue token that the client returns to get the next page. */
export function encodeContinue({ revision, start }: ContinueToken): string {
  const text = JSON.stringify({ v: VERSION, rv: revision ?? LATEST, start });
  return Buffer.from(text, "utf8").toString("base64url");
}

/** Decodes a continue token. Throws BadRequest. */
export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = decode(token);
  if (v !== VERSION) {
    throw invalid(`: server does not recognize this encoded version ${typeof v === "string" ? v : ""}`);
  }
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0) {
    throw invalid(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof start !== "string" || start === "") throw invalid(`: encoded start key empty (version ${VERSION})`);
  if (start.split("/").some((part) => part === "." || part === "..")) throw invalid(`: ${start}`);
  return { revision: rv < 0 ? undefined : rv, start };
}

function decode(token: string): JsonObject {
  try {
    const parsed = parseJson(Buffer.from(token, "base64url").toString("utf8"));
    if (isJsonObject(parsed)) return parsed;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw invalid("");
}

function invalid(why: string): Error {
  return badRequestError(`invalid continue token: continue key is not valid${why}`);
}
