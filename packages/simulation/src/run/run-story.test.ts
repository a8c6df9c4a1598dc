import { isNotFound, kind, s, Secret } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { replay } from "../campaign/index.ts";
import type { Case } from "./index.ts";

const Door = kind({ group: "story.levelset.dev", version: "v1", kind: "Door", spec: s.object({ doing: s.string() }) });
const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", namespace: "default" },
  stringData: { a: "1" },
};

/** Deletes or changes a Secret of a user. */
const doors = () =>
  operator(Door, [
    step(Door, "Secret", {
      rbac: [{ apiGroups: [""], resources: ["secrets"], verbs: ["delete", "patch"] }],
      do: async ({ spec, client }) => {
        const key = { namespace: "default", name: "s" };
        if (spec.doing === "delete") {
          await client.delete(Secret, key).catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
          });
        } else await client.apply(Secret, { metadata: key, stringData: { a: "2" } }, { force: true });
        return ok();
      },
    }),
  ]);

test.each([
  ["delete", "· Secret default/s is deleted"],
  ["change", "· Secret default/s is changed by an operator"],
])("the story shows that an operator has to %s the object of a user", async (doing, line) => {
  const door = {
    apiVersion: "story.levelset.dev/v1",
    kind: "Door",
    metadata: { name: "a", namespace: "default" },
    spec: { doing },
  };
  const operations = [secret, door].map((object) => ({ do: "create", object, afterMs: 60_000 }) as const);
  const recorded: Case = { seed: 1, faults: [], history: { operations } };
  const samples = [secret, { ...door, spec: { doing: "nothing" } }];
  await expect(replay(doors, recorded, { samples })).rejects.toThrow(line);
});
