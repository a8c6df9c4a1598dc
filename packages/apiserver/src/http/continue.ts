import { isJsonObject, JsonError, parseJson } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { badRequest } from "../registry/index.ts";

/** Where a list goes on: at the first object not before `start`. */
export interface Continue {
  /** The state that the list began in; undefined for whatever there is now. */
  readonly revision: number | undefined;
  readonly start: string;
}

const VERSION = "meta.k8s.io/v1";
/** Stands for "whatever there is now" in a token. */
const LATEST = -1;

/** The token that a client sends back to get the next page. */
export function formatContinue({ revision, start }: Continue): string {
  const text = JSON.stringify({ v: VERSION, rv: revision ?? LATEST, start });
  return Buffer.from(text, "utf8").toString("base64url");
}

/** Reads a token. Throws BadRequest. */
export function parseContinue(token: string): Continue {
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
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
