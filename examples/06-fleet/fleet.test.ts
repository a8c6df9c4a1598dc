import { readFileSync } from "node:fs";
import { isJsonObject } from "@levelset/core";
import { DEFAULT_ENTITIES, readKinds } from "@levelset/fleet";
import { parseYaml } from "@levelset/fleet/adapter";
import { expect, test } from "vitest";
import adapters from "./fleet.ts";
import validation from "./validation.ts";

test("the example defines exactly the adapters that the default kinds require", () => {
  const required = readKinds(DEFAULT_ENTITIES).all.flatMap(({ plural, requiredAdapters }) =>
    requiredAdapters.map((name) => `${plural}/${name}`),
  );
  const defined = [validation, ...adapters].map(({ kind, name }) => `${kind.plural}/${name}`);
  expect(defined.toSorted()).toEqual(required.toSorted());
});

test("the validation adapters in YAML and in TypeScript have the same name", () => {
  const config = parseYaml(readFileSync(new URL("validation/adapter-config.yaml", import.meta.url), "utf8"));
  const adapter = isJsonObject(config) ? config["adapter"] : undefined;
  expect(adapter).toMatchObject({ name: validation.name });
});
