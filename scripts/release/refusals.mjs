// What stands in the way of a release, as lines a person can act on. Pure.

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

function headingOf(changelog, version) {
  return changelog.split("\n").find((line) => line.startsWith(`## [${version}]`));
}

const UNPUBLISHED = "not on npm yet";

/**
 * @param state - `manifest`: package.json; `changelog`: its text; `documents`: texts that say how to install, by name; `branch`; `dirty`: lines of `git status --porcelain`;
 * `tags`: names; `publishes`: false for a dry run; `hasIdToken`: whether CI can vouch for where the package came from
 */
export function refusals({ manifest, changelog, documents, branch, dirty, tags, publishes, hasIdToken }) {
  const { name, version, repository } = manifest;
  const found = [];
  if (!VERSION.test(version ?? "")) found.push(`"${version}" in package.json is no version`);
  if (branch !== "main") found.push(`a release is made on main, and this is ${branch || "no branch"}`);
  if (dirty.length > 0)
    found.push(`commit or put away first:\n${dirty.map((line) => `    ${line}`).join("\n")}`);
  const heading = headingOf(changelog, version);
  if (heading === undefined) found.push(`CHANGELOG.md has no "## [${version}] - YYYY-MM-DD"`);
  else if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading)) found.push(`"${heading}" in CHANGELOG.md lacks its date`);
  if (tags.includes(`v${version}`))
    found.push(`the tag v${version} exists: raise the version in package.json`);
  for (const [file, text] of Object.entries(documents)) {
    if (text.includes(UNPUBLISHED)) {
      found.push(`${file} says that ${name} is ${UNPUBLISHED}: say how it is installed from there`);
    }
  }
  const url = typeof repository === "string" ? repository : repository?.url;
  if (typeof url !== "string" || url === "") {
    found.push(`package.json of ${name} has no repository: npm holds the origin of a package against it`);
  }
  if (publishes && !hasIdToken) {
    found.push(
      "npm can vouch for the origin only in CI, with an id token; elsewhere: npm run release -- --dry-run",
    );
  }
  return found;
}
