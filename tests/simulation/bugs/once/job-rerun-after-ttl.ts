import { controllerReference, Job, kind, s } from "@levelset/core";
import { job, jobRecord, ok, operator, step, wait } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: ansible/awx-resource-operator#49, wso2/labs-agentic-engineer#554. Bug: the Job is created if it does not exist.
 * When its TTL has expired, it runs again. Found by: once, needs time to pass beyond the TTL.
 */
const Playbook = kind({
  group: GROUP,
  version: "v1",
  kind: "Playbook",
  spec: s.object({ image: s.string().min(1).immutable() }),
  status: s.object({ run: jobRecord.optional() }),
});

function manifest(image: string) {
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "main", image }] } } as const;
  return { backoffLimit: 0, ttlSecondsAfterFinished: 600, template };
}

function buggy(): AnyOperator {
  const run = step(Playbook, "Run", {
    owns: [Job],
    do: async (req) => {
      const key = beside(req, `${req.name}-run`);
      const current = req.get(Job, key);
      if (current === undefined) {
        const ownerReferences = [controllerReference(req.object)];
        await req.client.create(Job, { metadata: { ...key, ownerReferences }, spec: manifest(req.spec.image) });
      }
      return current?.status?.succeeded === 1 ? ok() : wait(`${key.name} is running`);
    },
  });
  return operator(Playbook, [run]);
}

function fixed(): AnyOperator {
  const run = job(Playbook, "Run", {
    statusField: "run",
    desired: ({ name, spec }) => ({ metadata: { name: `${name}-run` }, spec: manifest(spec.image) }),
  });
  return operator(Playbook, [run]);
}

export const bug: SimulationBug = {
  name: "job-rerun-after-ttl",
  source: "https://github.com/ansible/awx-resource-operator/issues/49",
  oracle: "once",
  needs: "time that passes beyond the TTL of the Job",
  kind: Playbook,
  create: (cluster) => cluster.create(Playbook, { name: "a", spec: { image: "ansible:1" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.settle(700_000);
    const uids = harness.cluster.history(Job, "a-run").map(({ metadata }) => metadata.uid);
    return `${new Set(uids).size} runs`;
  },
  ends: { buggy: "2 runs", fixed: "1 runs" },
};
