import { replay } from "@levelset/simulation";
import { expect, test } from "vitest";
import signet from "../../../examples/05-signet/signet.ts";

const object = (tag?: string) => ({
  apiVersion: "examples.levelset.dev/v1beta1",
  kind: "Signet",
  metadata: { name: "signet" },
  spec: { version: "v1", ...(tag === undefined ? {} : { tag }) },
});

test("a tag that is not the tag of an image is refused before it reaches a manifest", async () => {
  const operations = [
    { do: "create", object: object(), afterMs: 60_000 },
    { do: "change", object: object('\t"87'), how: "invalid", afterMs: 60_000 },
  ] as const;
  const recorded = { seed: 71, faults: [], history: { operations } };
  await expect(replay(signet, recorded, { samples: [object()] })).resolves.toBeUndefined();
});
