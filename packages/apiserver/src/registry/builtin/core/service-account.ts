import type { ObjectReference } from "@levelset/core";
import type { KindStrategy } from "../../strategy.ts";
import type { UnvalidatedObject } from "../../unvalidated-object.ts";
import { unvalidatedField } from "../unvalidated.ts";

/** Strategy of ServiceAccounts: only the names of referenced secrets are stored. */
export const serviceAccountStrategy: KindStrategy = {
  defaults: (draft: UnvalidatedObject) => {
    const secrets = unvalidatedField<readonly ObjectReference[]>(draft, "secrets");
    return secrets === undefined ? draft : { ...draft, secrets: secrets.map(({ name = "" }) => ({ name })) };
  },
};
