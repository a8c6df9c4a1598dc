/** Example command lines for the help, by command path. */
export const EXAMPLES: ReadonlyMap<string, readonly string[]> = new Map([
  ["init", ["levelset init shop", "levelset init shop-operator --kind Shop --group shops.example.com --dir shop"]],
  [
    "dev",
    [
      "levelset dev simple.ts",
      "levelset dev simple.ts --apply sample.yaml",
      "levelset dev simple.ts --fleet --adapters adapters.ts   # with a fleet",
    ],
  ],
  [
    "run",
    [
      "levelset run simple.ts --install-crds --live",
      "levelset run simple.ts --leader-elect --listen 0.0.0.0:8080 --log-format json   # in a pod",
    ],
  ],
  [
    "why",
    [
      "levelset why simple/ten-by-five",
      "levelset why deployment web -n shop --watch",
      "levelset why nodepool/blue --in eu-1   # in a fleet",
    ],
  ],
  [
    "wait",
    [
      "levelset wait deployment/web -n shop",
      "levelset wait operand/shop --generation 4 --timeout 10m",
      "levelset wait job/migrate job/seed --for deleted -o json",
      "levelset wait nodepool/blue --in eu-1   # in a fleet",
    ],
  ],
  ["trace", ["levelset trace simple/ten-by-five --last 3", "levelset trace simple/ten-by-five --follow"]],
  ["console", ["levelset console", "levelset console --context staging --port 8080 --allow-actions"]],
  ["operand run", ["levelset operand run", "levelset operand run --leader-elect --listen 0.0.0.0:8080"]],
  [
    "operand create",
    [
      "levelset operand create shop -f manifests/ -n shop --wait",
      "levelset operand create shop -f manifests/ --post-install after/ --prune confirm",
      "kubectl kustomize overlays/eu | levelset operand create shop -f - --dry-run=server -o yaml",
    ],
  ],
  [
    "operand plan",
    [
      "levelset operand plan shop",
      "levelset operand plan shop -f manifests/ --summary --exit-code   # before a merge",
      "levelset operand plan shop --to 3",
    ],
  ],
  ["operand status", ["levelset operand status shop", "levelset operand status shop --watch"]],
  ["operand history", ["levelset operand history shop"]],
  ["operand rollback", ["levelset operand rollback shop", "levelset operand rollback shop --to 3"]],
  ["operand suspend", ["levelset operand suspend shop"]],
  ["operand resume", ["levelset operand resume shop"]],
  ["operand confirm", ["levelset operand confirm shop"]],
  ["operand delete", ["levelset operand delete shop", "levelset operand delete shop --cascade orphan"]],
  [
    "fleet dev",
    [
      "levelset fleet dev",
      "levelset fleet dev --memory --adapters adapters.ts",
      "levelset fleet dev -c fleet.yaml -s api.limits.in_flight_max=50",
    ],
  ],
  [
    "fleet api",
    [
      "levelset fleet api --store fleet.db",
      "levelset fleet api -c fleet.yaml --store postgres://fleet@db.example.com/fleet --host 0.0.0.0",
    ],
  ],
  ["fleet sentinel", ["levelset fleet sentinel -c fleet.yaml", "levelset fleet sentinel -c fleet.yaml --source http"]],
  [
    "fleet adapter",
    [
      "levelset fleet adapter -c adapter.yaml -t task.yaml",
      "levelset fleet adapter -c adapter.yaml -t task.yaml --check",
      "levelset fleet adapter -c adapter.yaml -t task.yaml --dry-run-event event.json --dry-run-verbose",
    ],
  ],
  ["fleet adapters", ["levelset fleet adapters adapters.ts -c fleet.yaml --fleet http://127.0.0.1:8000"]],
  ["fleet migrate", ["levelset fleet migrate --store postgres://fleet@db.example.com/fleet"]],
  ["fleet config", ["levelset fleet config -c fleet.yaml", "levelset fleet config --all"]],
  ["fleet history", ["levelset fleet history cluster/eu-1", "levelset fleet history nodepool/blue --in eu-1 -o json"]],
  [
    "fleet report",
    [
      "levelset fleet report cluster/eu-1 dns",
      "levelset fleet report cluster/eu-1 dns --available False --reason NoZone --message 'no zone'",
    ],
  ],
  [
    "get",
    [
      "levelset get clusters",
      "levelset get cluster/eu-1 -o yaml",
      "levelset get clusters -l region=eu --search \"name like 'eu-%'\" -w",
    ],
  ],
  [
    "create",
    [
      "levelset create cluster eu-1 --set region=eu --set nodes.count=3",
      "levelset create nodepool blue --in eu-1 -f blue.yaml",
      "levelset create -f fleet.yaml --wait --timeout 30m",
    ],
  ],
  ["edit", ["levelset edit cluster eu-1", "levelset edit cluster eu-1 --set region=us -l tier=gold --wait"]],
  [
    "delete",
    [
      "levelset delete cluster eu-1 --wait",
      "levelset delete cluster eu-1 --force --reason 'the cluster was lost with its account'",
    ],
  ],
  ["crd print", ["levelset crd print simple.ts", "levelset crd print simple.ts | kubectl apply -f -"]],
  [
    "manifests",
    [
      "levelset manifests simple.ts | kubectl apply -f -",
      "levelset manifests simple.ts --out deploy --image registry.example.com/simple:1.2.0",
    ],
  ],
  ["apiserver", ["levelset apiserver", "levelset apiserver --port 6443 --data cluster.db"]],
  [
    "apiserver check",
    ["levelset apiserver check --data cluster.db", "levelset apiserver check --data cluster.db -o json"],
  ],
]);
