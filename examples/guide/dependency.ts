import { kind, s } from "@levelset/core";
import { dependency, operator } from "@levelset/operator";
import { Store } from "./bucket.ts";

export const Site = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Site",
  spec: s.object({ store: s.string().min(1) }),
  status: s.object({ url: s.string().optional() }),
});

const store = dependency(Site, "Store", {
  condition: "StoreReady",
  kind: Store,
  name: ({ spec }) => spec.store,
  mustExist: true, // created by a person
  status: (req, { status }) => {
    req.status.url = status?.url;
  },
});

export const sites = operator(Site, [store]);
