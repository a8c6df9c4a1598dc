import type { ObjectReference } from "@levelset/core";
import { ServiceAccount, TokenRequest } from "@levelset/core";
import type { KindStrategy, UnvalidatedObject, Resource } from "../../resource/index.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { builtinResource, NAME_AND_AGE_PRINTER } from "../../resource/index.ts";

/** Strategy of ServiceAccounts: only the names of referenced secrets are stored. */
const serviceAccountStrategy: KindStrategy = {
  returnDeletedObject: true,
  defaults: (draft: UnvalidatedObject) => {
    const secrets = unvalidatedField<readonly ObjectReference[]>(draft, "secrets");
    return secrets === undefined ? draft : { ...draft, secrets: secrets.map(({ name = "" }) => ({ name })) };
  },
};

/** ServiceAccounts. */
export const serviceAccountResource: Resource = builtinResource({
  kind: ServiceAccount,
  subresources: [{ name: "token", body: TokenRequest, verbs: ["create"] }],
  strategy: serviceAccountStrategy,
  printer: NAME_AND_AGE_PRINTER,
});
