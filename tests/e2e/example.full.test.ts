import { describe, expect, test } from "vitest";
import { runProcess, TestProcess } from "../support/test-process.ts";
import { onRealCluster } from "../support/real-cluster.ts";
import { ROOT } from "../support/repository.ts";

await onRealCluster("an example on a real cluster", (start) => {
  describe("an example on a real cluster", () => {
    test("installs its CRD, reconciles, reacts to kubectl edits, and stops on Ctrl-C", async () => {
      await using cluster = await start();
      const { kubeconfig } = cluster;
      const kubectl = async (...args: string[]): Promise<string> => {
        const env = { KUBECONFIG: kubeconfig };
        const { code, stdout, stderr } = await runProcess("kubectl", { args, cwd: ROOT, env });
        expect([code, stderr]).toEqual([0, expect.not.stringContaining("rror")]);
        return stdout;
      };
      const args = ["run", "example", "--", "simple", "--kubeconfig", kubeconfig];
      await using example = new TestProcess("npm", { args, cwd: ROOT });
      await example.untilOutput(/Simple default\/ten-by-five {2}✓ Ready {3}generation 1/u);
      expect(await kubectl("get", "simples")).toMatch(/NAME +READY +QUOTIENT[^]*ten-by-five +True +2 /u);
      await kubectl("patch", "simple", "ten-by-five", "--type=merge", "-p", '{"spec":{"divisor":0}}');
      await example.untilOutput(/✗ Failed {3}generation 2 {3}Ready False\/Error Error: division by zero/u);
      await kubectl("patch", "simple", "ten-by-five", "--type=merge", "-p", '{"spec":{"divisor":5}}');
      await kubectl("wait", "--for=condition=Ready", "simple/ten-by-five", "--timeout=20s");
      example.signal("SIGINT");
      await example.untilExit();
    });
  });
});
