import { readFileSync } from "node:fs";
import { isJsonObject } from "@levelset/core";
import { DEFAULT_ENTITIES, readKinds } from "@levelset/fleet";
import { parseYaml } from "@levelset/fleet/adapter";
import { expect, test } from "vitest";
import adapters from "./fleet.ts";
import validation from "./validation.ts";

test("there is an adapter for every one that the shipped kinds require, and no other", () => {
  const required = readKinds(DEFAULT_ENTITIES).all.flatMap(({ plural, requiredAdapters }) =>
    requiredAdapters.map((name) => `${plural}/${name}`),
  );
  const written = [validation, ...adapters].map(({ kind, name }) => `${kind.plural}/${name}`);
  expect(written.toSorted()).toEqual(required.toSorted());
});

test("the validation that is configured is called as the one in TypeScript", () => {
  const config = parseYaml(readFileSync(new URL("validation/adapter-config.yaml", import.meta.url), "utf8"));
  const named = isJsonObject(config) ? config["adapter"] : undefined;
  expect(named).toMatchObject({ name: validation.name });
});
