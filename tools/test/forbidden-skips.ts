/** What kube-apiserver is built with and into; CI may lack it, because it cannot be installed as a package. */
const CLUSTER: ReadonlySet<string> = new Set(["kube-apiserver", "kubectl", "go"]);
/** Title of a skipped test: `needs`, and the missing programs. */
const NEEDS = / > needs (?<programs>[^>]+)$/u;

/** Returns the skipped tests that CI could have run. Only tests of a real cluster may be skipped, if `mayLackCluster`. */
export function forbiddenSkips(skipped: readonly string[], mayLackCluster: boolean): readonly string[] {
  return skipped.filter((id) => {
    const programs = NEEDS.exec(id)?.groups?.["programs"]?.split(" and ") ?? [];
    const needsCluster = programs.length > 0 && programs.every((program) => CLUSTER.has(program));
    return !(mayLackCluster && needsCluster);
  });
}
