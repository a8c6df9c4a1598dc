import type { AnyCustomKind } from "@levelset/core";
import type { Req } from "../../engine/index.ts";

/** Parts of a request that managing children needs. */
export type ChildReq = Pick<
  Req<AnyCustomKind, never>,
  | "object"
  | "kind"
  | "client"
  | "get"
  | "owned"
  | "stripped"
  | "isOrphaning"
  | "claim"
  | "contention"
  | "applyCache"
  | "signal"
>;

/** Maximum number of attempts in one run when other clients write a child at the same time. */
export const ATTEMPTS_MAX = 4;
