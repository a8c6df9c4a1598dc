import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Only ends tests that hang: tests assert no times, and a busy machine may be slow. Tests set no limits of their own. Those
 * of the full run take minutes, also if vitest runs one of their files directly.
 */
const HUNG_MS = process.env["LEVELSET_TEST_SUITE"] === "quick" ? 120_000 : 900_000;

/** One config for all suites; `tools/test/main.ts` says which files a run takes. */
export default defineConfig({
  // `import` and `default` hold by themselves; named here, they would hold for `require` too.
  resolve: { conditions: ["levelset-source", "node"] },
  ssr: { resolve: { conditions: ["levelset-source", "node"] } },
  test: {
    include: ["packages/**/*.test.ts", "tests/**/*.test.ts", "tools/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    isolate: false,
    // One worker per core. vitest's default leaves one core idle, which on two cores halves the speed.
    maxWorkers: availableParallelism(),
    setupFiles: ["tools/test/seed.ts"],
    testTimeout: HUNG_MS,
    hookTimeout: HUNG_MS,
    // Shorter than the test timeout, so that a failed poll reports its own error. The default is one second.
    expect: { poll: { timeout: 30_000 } },
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/index.ts"],
      reporter: ["text-summary", "html"],
    },
  },
});
