import type { ObjectReference } from "@levelset/core";
import type { KindRules } from "../../rules.ts";
import type { Draft } from "../../draft.ts";
import { fieldOf } from "../loose.ts";

/** ServiceAccounts: of the secrets they name only the names count. */
export const serviceAccountRules: KindRules = {
  defaults: (draft: Draft) => {
    const secrets = fieldOf<readonly ObjectReference[]>(draft, "secrets");
    return secrets === undefined ? draft : { ...draft, secrets: secrets.map(({ name = "" }) => ({ name })) };
  },
};
