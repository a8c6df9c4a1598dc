import { AsyncResource } from "node:async_hooks";
import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";

/** A kind whose step causes rejections that no code handles. */
export const Note = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Note",
  spec: s.object({ rejects: s.enum("nowhere", "step", "elsewhere").default("nowhere") }),
});

const connect = async (): Promise<void> => {
  throw new Error("no connection");
};

/** Rejects as code does that no step has called. */
const connectElsewhere = AsyncResource.bind(() => void connect());

export default operator(Note, [
  step(Note, "Forget", {
    do: ({ spec }) => {
      if (spec.rejects === "step") void connect();
      if (spec.rejects === "elsewhere") connectElsewhere();
      return ok();
    },
  }),
]);
