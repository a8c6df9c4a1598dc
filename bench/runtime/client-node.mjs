// @kubernetes/client-node: its informer, with a hand-written reconcile loop.
import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { DIVISION, due, Loop, NAMESPACE, up } from "./program-protocol.mjs";

const config = new KubeConfig();
config.loadFromFile(process.env.KUBECONFIG);

if (process.argv[2] === "configmaps") await follow();
else await reconcile();

async function follow() {
  const core = config.makeApiClient(CoreV1Api);
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace: NAMESPACE }));
  await started(informer);
  up(informer.list().length);
}

async function reconcile() {
  const custom = config.makeApiClient(CustomObjectsApi);
  const { group, version, plural } = DIVISION;
  const all = { group, version, plural, namespace: NAMESPACE };
  const path = `/apis/${group}/${version}/namespaces/${NAMESPACE}/${plural}`;
  const informer = makeInformer(config, path, () => custom.listNamespacedCustomObject(all));
  const mergePatch = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  const loop = new Loop(async (name) => {
    const object = informer.get(name, NAMESPACE);
    const status = object === undefined ? undefined : due(object);
    if (status === undefined) return;
    const { resourceVersion } = object.metadata;
    const body = { metadata: { resourceVersion }, status };
    await custom.patchNamespacedCustomObjectStatus({ ...all, name, body }, mergePatch);
  });
  for (const event of ["add", "update"]) informer.on(event, ({ metadata }) => loop.add(metadata.name));
  await started(informer);
  up(informer.list().length);
}

/** The informer stops on every watch failure; the program must start it again. */
async function started(informer) {
  informer.on("error", () => setTimeout(() => informer.start(), 1000));
  await informer.start();
}
