// kubernetes-fluent-client: its watch, with a hand-written reconcile loop. It runs in a separate directory with its
// dependencies.
import { GenericKind, K8s, kind, RegisterKind, WatchEvent } from "kubernetes-fluent-client";
import { DIVISION, due, Loop, NAMESPACE, up } from "./program-protocol.mjs";

class Division extends GenericKind {}
RegisterKind(Division, DIVISION);

if (process.argv[2] === "configmaps") await follow();
else await reconcile();

async function follow() {
  let count = 0;
  await started(kind.ConfigMap, () => {
    count += 1;
  });
  up(count);
}

async function reconcile() {
  const objects = new Map();
  const loop = new Loop(async (name) => {
    const object = objects.get(name);
    const status = object === undefined ? undefined : due(object);
    if (status !== undefined) await K8s(Division).PatchStatus({ metadata: { name, namespace: NAMESPACE }, status });
  });
  await started(Division, (object, phase) => {
    const { name } = object.metadata;
    if (phase === "DELETED") return objects.delete(name);
    objects.set(name, object);
    return loop.add(name);
  });
  up(objects.size);
}

/** Resolves when the list is complete and the watch is open. */
async function started(model, callback) {
  const watcher = K8s(model).InNamespace(NAMESPACE).Watch(callback);
  const connected = new Promise((resolve) => watcher.events.once(WatchEvent.CONNECT, resolve));
  await watcher.start();
  await connected;
}
