import { defineConfig } from "vitest/config";

// Two projects: pure rooms run in threads at once; scenarios start the real harness, so no more than the
// machine's cores run side by side.
export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    coverage: { provider: "v8", include: ["src/**"] },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/scenarios/**", "node_modules/**"] },
      },
      {
        extends: true,
        test: {
          name: "scenarios",
          include: ["test/scenarios/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: true,
          maxWorkers: 3,
        },
      },
    ],
  },
});
