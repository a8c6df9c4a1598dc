import type { AnyCustomKind } from "@levelset/core";
import type { Req } from "../step/index.ts";

/** What is used of a request to look after children. */
export type ChildReq = Pick<
  Req<AnyCustomKind, never>,
  "object" | "client" | "get" | "owned" | "claim" | "contention" | "signal"
>;

/** How often one run looks again when others write a child at the same moment. */
export const ATTEMPTS_MAX = 4;
