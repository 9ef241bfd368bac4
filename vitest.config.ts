import { defineConfig } from "vitest/config";

// Two projects, one after the other: the pure rooms first, then the stories that start the real harness. A story
// mostly waits for its processes, so twice as many as a small machine's two cores run side by side. The time limits are
// for machines ten times slower than a developer's; a test that hangs still ends.
export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    coverage: {
      provider: "v8",
      include: ["src/documents/**", "src/shell/**", "src/guards/**", "src/runtime/**", "src/transcript/**"],
      reporter: ["text-summary", "json-summary"],
      thresholds: {
        "src/documents/**": { branches: 90 },
        "src/shell/**": { branches: 90 },
        "src/guards/**": { branches: 90 },
        "src/runtime/**": { branches: 90 },
        "src/transcript/**": { branches: 90 },
      },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/scenarios/**", "node_modules/**"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // Pure rooms keep nothing between files: loading them once a worker saves two thirds of the time.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "scenarios",
          include: ["test/scenarios/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
