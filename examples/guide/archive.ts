import { kind, s, Secret, StatefulSet } from "@levelset/core";
import { childName, dependency, operator, workload } from "@levelset/operator";

export const Archive = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Archive",
  spec: s.object({ image: s.string().min(1) }),
});

const password = dependency(Archive, "Password", {
  condition: "PasswordReady",
  kind: Secret,
  labels: ({ metadata }) => ({ "examples.levelset.dev/archive": metadata.name }),
  mustExist: true, // created by a person, with any name
});

const server = workload(Archive, "Server", {
  condition: "ServerReady",
  uses: [password],
  kind: StatefulSet,
  protect: true, // its pods hold the data
  desired: (req) => {
    const name = childName(req.name);
    const labels = { app: name };
    const { name: secretName } = req.from(password).metadata;
    const env = [{ name: "PASSWORD", valueFrom: { secretKeyRef: { name: secretName, key: "password" } } }];
    return {
      metadata: { name },
      spec: {
        serviceName: name,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "archive", image: req.spec.image, env }] } },
      },
    };
  },
});

export default operator(Archive, [password, server]);
